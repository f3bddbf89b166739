// A worker that loads something before it serves, as most do that read a configuration: until the test says that it is there.
import { serveTabs } from './tabs-server.js'

await new Promise((resolve) => new BroadcastChannel('late').addEventListener('message', resolve, { once: true }))
serveTabs()
