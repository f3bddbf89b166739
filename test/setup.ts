// Node has no IndexedDB; the stores' tests, and whatever runs a whole server in Node, use this one.
import 'fake-indexeddb/auto'
