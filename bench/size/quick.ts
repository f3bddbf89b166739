// A tab that uses what the quick start uses.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import * as comlink from 'comlink'
import { runTask, WorkerTransport } from 'intab'

Object.assign(globalThis, { Client, expose: comlink.expose, wrap: comlink.wrap, transfer: comlink.transfer })
Object.assign(globalThis, { runTask, WorkerTransport })
