import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/** How many messages a client that lost its stream can have again. */
const kept = 1000

/** The newest events of one session, in memory: a client that reconnects with Last-Event-ID gets what it missed. */
export function memoryEvents(): EventStore {
  const events = new Map<string, { streamId: string; message: JSONRPCMessage }>()
  let last = 0
  return {
    async storeEvent(streamId, message) {
      last += 1
      const eventId = `${streamId}_${last}`
      events.set(eventId, { streamId, message })
      const [oldest] = events.keys()
      if (events.size > kept && oldest !== undefined) events.delete(oldest)
      return eventId
    },
    async getStreamIdForEventId(eventId) {
      return events.get(eventId)?.streamId
    },
    async replayEventsAfter(lastEventId, { send }) {
      const streamId = events.get(lastEventId)?.streamId ?? lastEventId.slice(0, lastEventId.lastIndexOf('_'))
      let after = !events.has(lastEventId)
      for (const [eventId, event] of events) {
        // A priming event is stored as an empty message, and says nothing.
        if (after && event.streamId === streamId && 'jsonrpc' in event.message) await send(eventId, event.message)
        if (eventId === lastEventId) after = true
      }
      return streamId
    }
  }
}
