// The quick start's tab that also lends tools to the worker.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import * as comlink from 'comlink'
import { runTask, WorkerTransport } from 'intab'
import { lendTools } from 'intab/lend'

Object.assign(globalThis, { Client, expose: comlink.expose, wrap: comlink.wrap, transfer: comlink.transfer })
Object.assign(globalThis, { lendTools, runTask, WorkerTransport })
