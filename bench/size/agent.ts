// The quick start's tab with `agentTools` beside it.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import * as comlink from 'comlink'
import { agentTools, runTask, WorkerTransport } from 'intab'

Object.assign(globalThis, { Client, expose: comlink.expose, wrap: comlink.wrap, transfer: comlink.transfer })
Object.assign(globalThis, { agentTools, runTask, WorkerTransport })
