// The board: one tab of an app whose MCP server lives in the browser.

import './jitless.js'
import { showError } from './alerts.js'
import { Board } from './board.js'
import { Connection } from './connection.js'
import { registerServiceWorker } from './offline/register.js'

const connection = new Connection()
connection.client.onerror = showError
const board = new Board(connection)
board.start().catch(showError)
registerServiceWorker().catch(showError)
