// A worker that loads something before it serves, as most do that read a configuration.
import { serveTabs } from './tabs-server.js'

await new Promise((resolve) => setTimeout(resolve, 300))
serveTabs()
