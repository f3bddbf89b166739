// The quick start's tab that also offers its tools to agents outside the page.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import * as comlink from 'comlink'
import { runTask, WorkerTransport } from 'intab'
import { offerTools } from 'intab/webmcp'

Object.assign(globalThis, { Client, expose: comlink.expose, wrap: comlink.wrap, transfer: comlink.transfer })
Object.assign(globalThis, { offerTools, runTask, WorkerTransport })
