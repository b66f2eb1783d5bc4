/**
 * better-sqlite3 for this version of Node. Version 13 needs Node-API 10 (Node 22.14). Version 12
 * aborts the process on Node 24.19 and later when a statement is garbage-collected
 * (https://github.com/nodejs/node/issues/65446).
 */
const { default: Database } =
  Number(process.versions['napi']) >= 10
    ? await import('better-sqlite3-napi')
    : await import('better-sqlite3')

export { Database }
