import { openDatabase, type Db } from '#db/engine/client.ts'
import { digestPostgres } from '#db/engine/dump-postgres.ts'
import { pipeline } from '#db/engine/sql.ts'
import { setFastPaths } from '#domain/fast-paths.ts'
import { toAppError } from '#server/errors.ts'
import { freshDatabase } from '#tests/support/databases.ts'
import '#tests/support/engines.ts'
import { wantsFastPaths } from '#tests/support/fast-paths.ts'
import { sql } from 'kysely'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { TLSSocket } from 'node:tls'
import { expect, inject, onTestFinished, test, vi } from 'vitest'

// Only Postgres has connections that can break.
test('a connection that breaks between two statements fails only its transaction', async () => {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const connectionErrors: string[] = []
  const db = openDatabase(url, (error) => void connectionErrors.push(error.message))
  try {
    const broken = db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)
      // Wait for the break, so that it arrives while no query is running.
      await vi.waitFor(() => expect(connectionErrors).not.toEqual([]), { timeout: 60_000 })
      await sql`select 1`.execute(tx)
    })
    const failure: unknown = await broken.catch((error: unknown) => error)
    expect(failure).toMatchObject({ message: expect.stringMatching(/connection/i) })
    // The shop reports an unavailable database, not a fault of its own.
    expect(toAppError(failure).code).toBe('UNAVAILABLE')
    expect(connectionErrors).toContain('terminating connection due to administrator command')
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  } finally {
    await db.destroy()
    await remove()
  }
})

test('a connection that the server ends while the pool closes is not reported', async () => {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const target = new URL(url)
  let isHeld = false
  // As on a busy machine: the goodbye of the pool has not arrived when the server ends the session.
  const relay = createServer({ allowHalfOpen: true }, (client) => {
    const backend = connect(Number(target.port), target.hostname)
    backend.pipe(client)
    client.on('data', (bytes) => isHeld || backend.write(bytes))
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const through = new URL(url)
  through.host = `127.0.0.1:${(relay.address() as AddressInfo).port}`
  const reported: string[] = []
  const db = openDatabase(through.href, (error) => void reported.push(error.message))
  const other = openDatabase(url, () => {})
  try {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
    isHeld = true
    await db.destroy()
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(other)
    relay.close()
    // When the connection of the pool has closed.
    await once(relay, 'close')
    expect(reported).toEqual([])
  } finally {
    await other.destroy()
    await remove()
  }
})

test('a stopped server that removed its Unix socket is unavailable, and a missing file is a fault', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-socket-'))
  const db = openDatabase(`postgres://meridian@localhost/meridian?host=${folder}`, () => {})
  try {
    const failure: unknown = await sql`select 1`.execute(db).catch((error: unknown) => error)
    expect(failure).toMatchObject({ message: expect.stringMatching(/^connect ENOENT .*\.s\.PGSQL\.5432$/) })
    expect(toAppError(failure).code).toBe('UNAVAILABLE')
    const missing: unknown = await readFile(join(folder, 'missing')).catch((error: unknown) => error)
    expect(missing).toMatchObject({ code: 'ENOENT' })
    expect(toAppError(missing).code).toBe('INTERNAL')
  } finally {
    await db.destroy()
    rmSync(folder, { recursive: true })
  }
})

test('statements that share a round trip each get their own rows, counts and errors', async () => {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const db = openDatabase(url, () => {})
  try {
    await sql`create table things (id integer primary key, at timestamptz, big bigint, flag boolean, word text)`.execute(
      db,
    )
    const add = (id: number, word: string | null) =>
      sql`insert into things values (${id}, ${new Date(Date.UTC(2026, 0, id))}, ${2 ** 40}, ${id === 1}, ${word})`
    for (let round = 0; round < 2; round++) {
      await sql`delete from things`.execute(db)
      const outcomes = await db
        .connection()
        .execute((one) =>
          Promise.allSettled([
            add(1, 'a ‘quoted’ \\ word').execute(one),
            add(2, null).execute(one),
            add(2, 'twice').execute(one),
            sql`select * from things order by id`.execute(one),
            sql`update things set word = ${'x'} where id > ${7}`.execute(one),
            sql`select * from nowhere`.execute(one),
          ]),
        )
      const [, second, twice, all, none, nowhere] = outcomes
      expect(second).toMatchObject({ value: { rows: [], numAffectedRows: 1n } })
      expect(twice).toMatchObject({ reason: { code: '23505' } })
      expect(all).toMatchObject({
        value: {
          rows: [
            { id: 1, at: new Date('2026-01-01'), big: 2 ** 40, flag: true, word: 'a ‘quoted’ \\ word' },
            { id: 2, at: new Date('2026-01-02'), big: 2 ** 40, flag: false, word: null },
          ],
        },
      })
      expect(none).toMatchObject({ value: { rows: [], numAffectedRows: 0n } })
      expect(nowhere).toMatchObject({ reason: { code: '42P01' } })
    }
  } finally {
    await db.destroy()
    await remove()
  }
})

test('concurrent statements of a transaction share one packet with its BEGIN', async () => {
  setFastPaths(true)
  onTestFinished(() => setFastPaths(wantsFastPaths))
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const { hostname, port } = new URL(url)
  let packets = 0
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    client.on('data', () => packets++)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.pipe(to)
      from.on('error', () => to.destroy())
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const proxied = new URL(url)
  proxied.hostname = '127.0.0.1'
  proxied.port = String((proxy.address() as AddressInfo).port)
  const db = openDatabase(proxied.href, () => {})
  try {
    const countPackets = async (work: (tx: Db) => Promise<unknown>) => {
      const before = packets
      await db.transaction().execute(work)
      return packets - before
    }
    const selectOne = (tx: Db) => sql`select 1`.execute(tx)
    await countPackets(selectOne)
    expect(await countPackets(selectOne)).toBe(2)
    expect(
      await countPackets((tx) => pipeline(selectOne(tx), selectOne(tx), selectOne(tx), selectOne(tx))),
    ).toBe(2)
    expect(
      await countPackets(async (tx) => {
        await pipeline(selectOne(tx), selectOne(tx))
        await selectOne(tx)
      }),
    ).toBe(3)
  } finally {
    await db.destroy()
    proxy.close()
    await remove()
  }
})

test('a connection with sslmode=verify-full is encrypted, and only to a server with a certificate for its name', async () => {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const certificate = resolve('tests/fixtures/tls/certificate.pem')
  const { hostname, port } = new URL(url)
  let encrypted = 0
  // Answers the request for TLS as Postgres does, and passes the rest on to a server without it.
  const proxy = createServer((client) => {
    client.on('error', () => client.destroy())
    client.once('data', () => {
      client.write('S')
      const secure = new TLSSocket(client, {
        isServer: true,
        key: readFileSync('tests/fixtures/tls/key.pem'),
        cert: readFileSync(certificate),
      })
      const server = connect(Number(port), hostname)
      secure.on('secure', () => encrypted++)
      secure.on('error', () => server.destroy())
      server.on('error', () => secure.destroy())
      secure.pipe(server).pipe(secure)
    })
  })
  proxy.listen(0)
  await once(proxy, 'listening')
  const { port: proxyPort } = proxy.address() as AddressInfo
  const urlAt = (host: string, atPort: number | string, parameters: string): string => {
    const to = new URL(url)
    to.hostname = host
    to.port = String(atPort)
    to.search = parameters
    return to.href
  }
  const selectOne = async (host: string, atPort: number | string, parameters: string) => {
    const db = openDatabase(urlAt(host, atPort, parameters), () => {})
    try {
      return (await sql<{ one: number }>`select 1 as one`.execute(db)).rows
    } finally {
      await db.destroy()
    }
  }
  const verified = `sslmode=verify-full&sslrootcert=${certificate}`
  try {
    expect(await selectOne('localhost', proxyPort, verified)).toEqual([{ one: 1 }])
    expect(encrypted).toBe(1)
    await expect(selectOne('127.0.0.1', proxyPort, verified)).rejects.toThrow(/does not match/)
    await expect(selectOne('localhost', proxyPort, 'sslmode=verify-full')).rejects.toThrow(/self.signed/)
    await expect(selectOne(hostname, port, verified)).rejects.toThrow(/does not support SSL/)
    // pg_dump, too. Without a file of its own, it has the system's authorities, as Node does.
    expect((await digestPostgres(urlAt('localhost', proxyPort, verified))).size).toBeGreaterThan(0)
    await expect(digestPostgres(urlAt('localhost', proxyPort, 'sslmode=verify-full'))).rejects.toThrow(
      /certificate verify failed/,
    )
  } finally {
    proxy.close()
    await remove()
  }
})

test('behind a pooler, nothing on a connection lasts longer than a transaction', async () => {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const direct = openDatabase(url, () => {})
  const pooled = openDatabase(`${url}?pooler=transaction`, () => {})
  const readSession = async (db: typeof direct) => {
    // Twice, because the first run would prepare the statement.
    for (let i = 0; i < 2; i++) await db.selectFrom('products').select('id').execute()
    const { rows } = await sql<{ prepared: number; pageCost: string }>`
      select (select count(*) from pg_prepared_statements) as prepared,
        current_setting('random_page_cost') as page_cost`.execute(db)
    return rows[0]
  }
  try {
    expect(await readSession(direct)).toMatchObject({ pageCost: '1.1' })
    expect((await readSession(direct))?.prepared).toBeGreaterThan(0)
    expect(await readSession(pooled)).toEqual({ prepared: 0, pageCost: '4' })
    const answers = await pooled
      .connection()
      .execute((one) =>
        pooled
          .transaction()
          .execute((tx) =>
            Promise.all([
              sql<{ n: number }>`select 1 as n`.execute(tx),
              sql<{ n: number }>`select ${2}::int as n`.execute(tx),
              sql<{ n: number }>`select 3 as n`.execute(one),
            ]),
          ),
      )
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual([1, 2, 3])
  } finally {
    await direct.destroy()
    await pooled.destroy()
    await remove()
  }
})
