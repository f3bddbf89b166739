import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import * as comlink from 'comlink'

Object.assign(globalThis, { Client, expose: comlink.expose, wrap: comlink.wrap, transfer: comlink.transfer })
// Vite adds to an app with a lazy part the way to load it, which most apps have by then.
Object.assign(globalThis, { lazy: () => import('./lazy.js') })
