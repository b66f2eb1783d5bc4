import { openDatabase, type Db, type Engine } from '#db/client.ts'
import { migrate } from '#db/migrate.ts'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const closingLimitMs = 2000

export const engines = ['sqlite', 'postgres'] as const satisfies readonly Engine[]

/** The migrated databases of which every test gets a copy. Plain data, so that it can be handed to workers. */
export type Templates = { folder: string; sqliteFile: string; postgresUrl: string; postgresTemplate: string }
export type TestDatabase = { url: string; remove: () => Promise<void> }

const newName = (): string => `meridian_test_${randomBytes(6).toString('hex')}`

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

/** Makes one migrated database an engine; `fill` puts into it what every copy shall hold. */
export async function makeTemplates(
  serverUrl: string,
  fill: (db: Db) => Promise<void> = async () => {},
): Promise<Templates & { remove: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-test-'))
  const templates = {
    folder,
    sqliteFile: join(folder, 'template.sqlite'),
    postgresUrl: serverUrl,
    postgresTemplate: newName(),
  }
  await create(serverUrl, templates.postgresTemplate)
  const urls = [`sqlite:${templates.sqliteFile}`, databaseUrl(serverUrl, templates.postgresTemplate)]
  for (const url of urls) {
    const db = openTestDatabase(url)
    try {
      await migrate(db)
      await fill(db)
    } finally {
      await db.destroy()
    }
  }
  const remove = async (): Promise<void> => {
    rmSync(folder, { recursive: true, force: true })
    await drop(serverUrl, templates.postgresTemplate)
  }
  return { ...templates, remove }
}

/** A copy of the engine's template that nobody else uses. */
export async function freshDatabase(templates: Templates, engine: Engine): Promise<TestDatabase> {
  const name = newName()
  if (engine === 'sqlite') {
    const file = join(templates.folder, `${name}.sqlite`)
    copyFileSync(templates.sqliteFile, file)
    const remove = async (): Promise<void> => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
    }
    return { url: `sqlite:${file}`, remove }
  }
  const server = templates.postgresUrl
  await create(server, name, templates.postgresTemplate)
  return {
    url: databaseUrl(server, name),
    remove: () => drop(server, name),
  }
}
