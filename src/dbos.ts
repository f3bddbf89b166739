// "intab/dbos": the same task tools on servers, as workflows of DBOS over PostgreSQL.

export { type DbosOptions, type DbosServer, serveOnDbos } from './dbos/serve-on-dbos.js'
export { IntabError } from './errors.js'
export type { IntabCode } from './errors.js'
export type { IntabEvent, Limits } from './types.js'
