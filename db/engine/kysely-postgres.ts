import { fastPathsEnabled } from '#domain/fast-paths.ts'
import { Kysely, type Dialect } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { pipelined } from './pipeline.ts'
import { isTransactionPooled } from './postgres-endpoint.ts'
import { camelCaseNames } from './rows.ts'
import type { StatementLimits } from './statement-limits.ts'

/**
 * Kysely on the Postgres dialect of this connection string. Reads share connections where each
 * statement has a limit: one of a job or a command may take minutes.
 */
export function kyselyPostgres(
  url: string,
  dialect: Dialect,
  limits: StatementLimits | undefined,
): Kysely<Schema> {
  const config = { dialect, plugins: [camelCaseNames()] }
  if (!fastPathsEnabled()) return new Kysely(config)
  const isLimited = limits !== undefined && limits.statementMs > 0
  // Behind a pooler, the statements of a connection wait for each other.
  return new Kysely(pipelined(config, { sharesReads: isLimited && !isTransactionPooled(url) }))
}
