import { openDatabase, type Db, type Engine } from '#db/engine/client.ts'
import { migrate } from '#db/engine/migrate.ts'
import { seedDemo } from '#db/seed/demo.ts'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const closingLimitMs = 2000

export const engines = ['sqlite', 'postgres'] as const satisfies readonly Engine[]

/** What a template holds besides the migrated tables. */
export const contents = ['empty', 'demo'] as const
export type Content = (typeof contents)[number]

/** The databases of which every test gets a copy. Plain data, so that it can be handed to workers. */
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

async function onServer(serverUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

const create = (serverUrl: string, name: string, template = 'template1'): Promise<void> =>
  onServer(serverUrl, async (client) => {
    await client.query(`create database ${name} template ${template}`)
  })

/** A pool says that it has ended before its connections are gone; cutting one off would be reported as broken. */
const drop = (serverUrl: string, name: string): Promise<void> =>
  onServer(serverUrl, async (client) => {
    const until = Date.now() + closingLimitMs
    for (;;) {
      const { rowCount } = await client.query('select from pg_stat_activity where datname = $1', [name])
      if (!rowCount || Date.now() > until) break
      await sleep(10)
    }
    await client.query(`drop database if exists ${name} with (force)`)
  })

/** Opens a database of a test. A connection that breaks while idle ends the run: nothing may break in a test. */
export const openTestDatabase = (url: string): Db =>
  openDatabase(url, (error) => {
    throw error
  })

/** Makes the templates on both engines: migrated ones, empty and with the demo catalogue. */
export async function makeTemplates(
  serverUrl: string,
  wanted: readonly Content[] = contents,
): Promise<Templates & { remove: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-test-'))
  const names = { empty: newName(), demo: newName() }
  for (const content of wanted) {
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
    for (const content of wanted) await drop(serverUrl, names[content])
  }
  return { folder, postgresUrl: serverUrl, names, remove }
}

/** A copy of the engine's template that nobody else uses. */
export async function freshDatabase(
  templates: Templates,
  engine: Engine,
  content: Content = 'empty',
): Promise<TestDatabase> {
  const name = newName()
  const template = templates.names[content]
  if (engine === 'sqlite') {
    const file = join(templates.folder, `${name}.sqlite`)
    copyFileSync(join(templates.folder, `${template}.sqlite`), file)
    const remove = async (): Promise<void> => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
    }
    return { url: sqliteUrl(templates.folder, name), remove }
  }
  const server = templates.postgresUrl
  await create(server, name, template)
  return { url: databaseUrl(server, name), remove: () => drop(server, name) }
}
