import '../../../src/demo/jitless.js'
import { serveTabs } from './tabs-server.js'

serveTabs()
