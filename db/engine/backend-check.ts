import pg from 'pg'
import { isTransactionPooled } from './postgres-endpoint.ts'

const connectLimitMs = 5000
/** For an answer that is on its way when the server says that it has sent it. */
const answerDelayMs = 1000

/**
 * Whether the server still works on the statement of a silent connection, by a new connection. A
 * server that is gone, or that took the place of another one, does not. The system itself gives up
 * a packet that is never acknowledged only after 15 minutes. Behind a pooler, which hides the
 * server's processes, the pooler's answer is enough.
 */
export async function isBackendAtWork(url: string, silent: pg.PoolClient): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectLimitMs,
    query_timeout: connectLimitMs,
    application_name: 'meridian',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const processId: unknown = 'processID' in silent ? silent.processID : null
    if (isTransactionPooled(url) || typeof processId !== 'number') return true
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity where pid = $1 and coalesce(state, '') not like 'idle%'`,
      [processId],
    )
    if (rowCount === 0) await client.query('select pg_sleep($1)', [answerDelayMs / 1000])
    return rowCount === 1
  } catch (error) {
    return isRefusal(error)
  } finally {
    // A server that hangs does not close it.
    void client.end().catch(() => {})
    client.connection.stream.destroy()
  }
}

/** Whether the server refused, as with too many connections. 57P is that it stops. */
const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !error.code?.startsWith('57P')
