// A tab with intab; `without.ts` is the same without.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import * as comlink from 'comlink'
import * as intab from 'intab'

Object.assign(globalThis, { Client, expose: comlink.expose, wrap: comlink.wrap, transfer: comlink.transfer, intab })
