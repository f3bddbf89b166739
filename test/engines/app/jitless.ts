// Before whatever imports zod: https://zod.dev/library-authors?id=jitless
import { config } from 'zod/v4/core'

config({ jitless: true })
