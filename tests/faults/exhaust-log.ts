import pg from 'pg'

/** A segment of the log. A cluster keeps some in reserve (`min_wal_size`). */
const segmentBytes = 16 * 2 ** 20
const maxSegments = 40

/**
 * Writes log until Postgres, whose disk is full, needs a segment for which there is no room, and
 * stops. A busy shop gets there by itself, but not within seconds. Returns whether it stopped.
 */
export async function exhaustLog(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  // A server that stops also breaks the connection.
  client.on('error', () => {})
  try {
    await client.connect()
    for (let i = 0; i < maxSegments; i++) {
      await client.query(`select pg_logical_emit_message(false, 'full', repeat('x', $1))`, [segmentBytes])
    }
    return false
  } catch {
    return true
  } finally {
    await client.end().catch(() => {})
  }
}
