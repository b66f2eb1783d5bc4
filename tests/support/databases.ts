import { openDatabase, type Db, type Engine } from '#db/engine/client.ts'
import { migrate } from '#db/engine/migrate.ts'
import { seedDemo } from '#db/seed/demo.ts'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { makeTestFolder } from './test-folder.ts'

const closingLimitMs = 2000

export const engines = ['sqlite', 'postgres'] as const satisfies readonly Engine[]

/** What a template holds besides the migrated tables. */
export const contents = ['empty', 'demo'] as const
export type Content = (typeof contents)[number]

/** The databases that every test copies. Plain data, so that Vitest can pass it to workers. */
export type Templates = { folder: string; postgresUrl: string; names: Record<Content, string> }
export type TestDatabase = { url: string; remove: () => Promise<void> }

const newName = (): string => `meridian_test_${randomBytes(6).toString('hex')}`

const sqliteUrl = (folder: string, name: string): string => `sqlite:${join(folder, name)}.sqlite`

/** The url of another database of the same server. */
function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** One connection to each server for as long as this process lives. */
type ServerConnection = { client: pg.Client; socket: Socket; copyFiles: string; busy: number }
const connections = new Map<string, Promise<ServerConnection>>()

async function connectTo(serverUrl: string): Promise<ServerConnection> {
  const socket = new Socket()
  const client = new pg.Client({ connectionString: serverUrl, stream: () => socket })
  // The server may stop before a process that used it. That is not a failure of the test.
  client.on('error', () => connections.delete(serverUrl))
  await client.connect()
  const { rows } = await client.query<{ version: number; fsync: string }>(
    "select current_setting('server_version_num')::int as version, current_setting('fsync') as fsync",
  )
  const [server] = rows
  // Since version 15, Postgres writes every copied page to the WAL by default. A measured server
  // keeps that: after a copy of files, the first change of each page would write it to the WAL.
  const copyFiles = server && server.version >= 150_000 && server.fsync === 'off' ? 'strategy file_copy' : ''
  return { client, socket, copyFiles, busy: 0 }
}

async function onServer(
  serverUrl: string,
  work: (connection: ServerConnection) => Promise<void>,
): Promise<void> {
  const connecting = connections.get(serverUrl) ?? connectTo(serverUrl)
  connections.set(serverUrl, connecting)
  const connection = await connecting
  connection.busy++
  connection.socket.ref()
  try {
    await work(connection)
  } finally {
    // An idle connection must not keep the process alive.
    if (--connection.busy === 0) connection.socket.unref()
  }
}

const create = (serverUrl: string, name: string, template = 'template1'): Promise<void> =>
  onServer(serverUrl, async ({ client, copyFiles }) => {
    await client.query(`create database ${name} template ${template} ${copyFiles}`)
  })

/**
 * A pool reports its end before its connections are closed. Dropping the database earlier would
 * report a broken connection.
 */
const drop = (serverUrl: string, name: string): Promise<void> =>
  onServer(serverUrl, async ({ client }) => {
    const until = Date.now() + closingLimitMs
    for (;;) {
      const { rowCount } = await client.query('select from pg_stat_activity where datname = $1', [name])
      if (!rowCount || Date.now() > until) break
      await sleep(5)
    }
    await client.query(`drop database if exists ${name} with (force)`)
  })

/** Opens a test's database. An idle connection that breaks is an error, which ends the run. */
export const openTestDatabase = (url: string): Db =>
  openDatabase(url, (error) => {
    throw error
  })

/**
 * Creates the migrated templates on both engines: empty, and with the demo catalog.
 * @param options.durable keeps the SQLite files on a disk, for measurements
 */
export async function makeTemplates(
  serverUrl: string,
  requestedContents: readonly Content[] = contents,
  { durable = false }: { durable?: boolean } = {},
): Promise<Templates & { remove: () => Promise<void> }> {
  const folder = durable ? mkdtempSync(join(tmpdir(), 'meridian-test-')) : makeTestFolder('databases')
  const names = { empty: newName(), demo: newName() }
  for (const content of requestedContents) {
    await create(serverUrl, names[content])
    for (const url of [sqliteUrl(folder, names[content]), databaseUrl(serverUrl, names[content])]) {
      const db = openTestDatabase(url)
      try {
        await migrate(db)
        if (content === 'demo') await seedDemo(db)
      } finally {
        await db.destroy()
      }
    }
  }
  const remove = async (): Promise<void> => {
    rmSync(folder, { recursive: true, force: true })
    for (const content of requestedContents) await drop(serverUrl, names[content])
  }
  return { folder, postgresUrl: serverUrl, names, remove }
}

/** A new copy of the engine's template. */
export async function freshDatabase(
  templates: Templates,
  engine: Engine,
  content: Content = 'empty',
): Promise<TestDatabase> {
  const name = newName()
  const template = templates.names[content]
  if (engine === 'sqlite') {
    // A shop without keys in its environment stores them beside its database.
    const folder = join(templates.folder, name)
    mkdirSync(folder)
    copyFileSync(join(templates.folder, `${template}.sqlite`), join(folder, 'shop.sqlite'))
    const remove = async (): Promise<void> => rmSync(folder, { recursive: true, force: true })
    return { url: sqliteUrl(folder, 'shop'), remove }
  }
  const server = templates.postgresUrl
  await create(server, name, template)
  return { url: databaseUrl(server, name), remove: () => drop(server, name) }
}
