// What a connection of MCP 2026-07-28 needs beyond the other, loaded when there is one.

export const modern = () => import('./modern/modern.js')
