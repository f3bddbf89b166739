// "intab/devtools": see the tasks of an app, inside the app.

export type { Act } from './devtools/acts/act.js'
export { type DevtoolsOptions, mountDevtools } from './devtools/mount.js'
export type { DevtoolsPane } from './devtools/pane.js'
