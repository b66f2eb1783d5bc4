import { fastPathsEnabled } from '#domain/fast-paths.ts'
import { Kysely, type Dialect } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { pipelined } from './pipeline.ts'
import { isTransactionPooled } from './postgres-endpoint.ts'
import { camelCaseNames } from './rows.ts'

/** Kysely on the Postgres dialect of this connection string. */
export function kyselyPostgres(url: string, dialect: Dialect): Kysely<Schema> {
  const config = { dialect, plugins: [camelCaseNames()] }
  if (!fastPathsEnabled()) return new Kysely(config)
  // Behind a pooler, the statements of a connection wait for each other.
  return new Kysely(pipelined(config, { sharesReads: !isTransactionPooled(url) }))
}
