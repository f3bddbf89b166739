import '../jitless.js'
import { serveBoard } from './serve-board.js'

serveBoard()
