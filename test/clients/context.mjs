/**
 * What a client's script is given.
 * @typedef {object} Context
 * @property {string} url of the server
 * @property {string} modules the node_modules of the script's packages
 * @property {string} node a Node of version 22 or later
 * @property {(what: string) => void} passed tells that something worked
 */

export {}
