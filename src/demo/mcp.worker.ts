import './jitless.js'
import { serve } from 'intab/worker'
import { confirmDelete } from './tools/confirm-delete.js'
import { writeHaiku } from './tools/write-haiku.js'

serve({ name: 'intab-demo', version: '0.0.0', tools: [confirmDelete, writeHaiku] })
