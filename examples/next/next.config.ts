import type { NextConfig } from 'next'

// Next would write files of its own into this folder.
export default { agentRules: false } satisfies NextConfig
