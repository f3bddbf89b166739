// "intab/devtools": see the tasks of an app, inside the app.

export { type DevtoolsOptions, mountDevtools } from './devtools/mount.js'
