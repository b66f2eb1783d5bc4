import pg from 'pg'

/**
 * When the server last recovered. One that panics, because it cannot write its log or because one
 * of its processes was killed, ends every connection. All of its own processes are new then.
 */
export async function readRecovery(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const text = `select backend_start::text as at from pg_stat_activity where backend_type = 'checkpointer'`
    return String((await client.query<{ at: string }>(text)).rows[0]?.at)
  } finally {
    await client.end()
  }
}
