import { resolve } from 'node:path'
import pg from 'pg'

/** Names a database to an operator: its engine, and its file or its server. Never its password. */
export function describeDatabase(url: string): string {
  if (url.startsWith('sqlite:')) return `SQLite, ${resolve(url.slice('sqlite:'.length))}`
  const { host, port, database } = new pg.Client({ connectionString: url })
  return `Postgres, ${database ?? 'no name'} at ${host}, port ${port}`
}
