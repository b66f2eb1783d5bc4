import pg from 'pg'

/** Where a connection string leads, and how. */
export type PostgresEndpoint = {
  /** A host name, an address without brackets, or the folder of a Unix socket. */
  host: string
  isSocket: boolean
  /** Whether the connection is encrypted, and the server's certificate and name are verified. */
  isVerified: boolean
}

/**
 * Reads a connection string as the driver does, with its parameters and the PG environment
 * variables, without connecting. Throws when the driver rejects it, such as for a certificate file
 * that is missing.
 */
export function readPostgresEndpoint(connectionString: string): PostgresEndpoint {
  const { host, ssl } = new pg.Client({ connectionString })
  return { host, isSocket: host.startsWith('/'), isVerified: isVerified(ssl) }
}

/**
 * `true` and an object without these two options verify the chain and the name (node:tls). The
 * driver's types know only the first.
 */
const isVerified = (ssl: unknown): boolean =>
  typeof ssl === 'object' && ssl !== null
    ? !('rejectUnauthorized' in ssl && ssl.rejectUnauthorized === false) && !('checkServerIdentity' in ssl)
    : ssl === true

/**
 * Whether `pooler=transaction` is in the connection string: a pooler like PgBouncer in transaction
 * mode is between us and Postgres. It gives each transaction any of its connections, so nothing
 * may last longer than a transaction.
 */
export const isTransactionPooled = (connectionString: string): boolean =>
  /[?&]pooler=transaction(?:&|$)/.test(connectionString)
