import '../../../src/demo/jitless.js'
import { serve } from 'intab/worker'
import { confirmDelete } from '../../support/confirm-delete.js'

/** So slow that a test which waits for a poll fails. */
const confirmDeleteUnpolled = { ...confirmDelete, config: { ...confirmDelete.config, pollInterval: 60_000 } }

serve({ name: 'road', version: '0.0.0', tools: [confirmDeleteUnpolled] })
