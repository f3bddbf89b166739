import '../../../src/demo/jitless.js'
import { serve } from 'intab/worker'
import { confirmDelete } from '../../support/confirm-delete.js'

const confirmDeleteAgain = { ...confirmDelete, onInterrupt: 'resume' as const }

serve({ name: 'eras', version: '0.0.0', tools: [confirmDeleteAgain] })
