import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import * as comlink from 'comlink'

Object.assign(globalThis, { Client, expose: comlink.expose, wrap: comlink.wrap, transfer: comlink.transfer })
