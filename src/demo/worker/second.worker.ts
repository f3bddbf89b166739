// Another script that serves the same database, as the worker of a newer build beside that of an older one.
import '../jitless.js'
import { serveBoard } from './serve-board.js'

serveBoard()
