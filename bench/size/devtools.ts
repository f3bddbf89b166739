// The quick start's tab with the devtools.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import * as comlink from 'comlink'
import { runTask, WorkerTransport } from 'intab'
import { mountDevtools } from 'intab/devtools'

Object.assign(globalThis, { Client, expose: comlink.expose, wrap: comlink.wrap, transfer: comlink.transfer })
Object.assign(globalThis, { mountDevtools, runTask, WorkerTransport })
