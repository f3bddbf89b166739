// zod looks once whether it may compile code, which a strict Content-Security-Policy reports as a violation. So this
// comes before whatever imports zod: https://zod.dev/library-authors?id=jitless
import { config } from 'zod/v4/core'

config({ jitless: true })
