// Conversations with the agent, kept in IndexedDB: https://developer.mozilla.org/docs/Web/API/IndexedDB_API
// One tab at a time goes on with a conversation; the others wait for its lock.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type DBSchema, openDB } from 'idb'

/** A call of a tool, as a model asks for it. */
export interface Call {
  name: string
  arguments: Record<string, unknown>
}

/** A call that the agent made. */
export interface ToolMessage {
  role: 'tool'
  call: Call
  /** Finds the call's task wherever it is made again. */
  key: string
  /** Its task, once that is stored. */
  taskId?: string
  result?: CallToolResult
}

export type Message = { role: 'user'; text: string } | { role: 'agent'; text: string } | ToolMessage

export interface Conversation {
  id: string
  /** When it last changed; milliseconds since 1970. */
  changedAt: number
  messages: Message[]
}

interface Schema extends DBSchema {
  conversations: { key: string; value: Conversation; indexes: { changedAt: number } }
}

let opening: ReturnType<typeof openDB<Schema>> | undefined

function database(): ReturnType<typeof openDB<Schema>> {
  opening ??= openDB<Schema>('intab-board:agent', 1, {
    upgrade: (db) => void db.createObjectStore('conversations', { keyPath: 'id' }).createIndex('changedAt', 'changedAt')
  })
  return opening
}

export const newConversation = (): Conversation => ({ id: crypto.randomUUID(), changedAt: Date.now(), messages: [] })

export async function keep(conversation: Conversation): Promise<void> {
  conversation.changedAt = Date.now()
  await (await database()).put('conversations', conversation)
}

export const read = async (id: string): Promise<Conversation | undefined> => (await database()).get('conversations', id)

/** All conversations, the newest first. */
export const readAll = async (): Promise<Conversation[]> =>
  (await (await database()).getAllFromIndex('conversations', 'changedAt')).reverse()

/** Waits until no other tab has the conversation; `act` has it until its promise settles. */
export const alone = (id: string, signal: AbortSignal, act: () => Promise<void>): Promise<void> =>
  navigator.locks.request(`intab-board:agent:${id}`, { signal }, act)
