import './jitless.js'
import { serveVersion } from './server.js'

serveVersion('2')
