import { getEngine, type Engine } from '#db/engine/client.ts'
import { migrate } from '#db/engine/migrate.ts'
import { freshDatabase, makeTemplates, openTestDatabase } from '#tests/support/databases.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { z } from 'zod'
import { generateLargeDirectory } from './generate-large-directory.ts'
import { importCatalog } from './import-catalog.ts'
import { writeOrders } from './write-orders.ts'

/** What filling a database took. It is stored beside a kept database, once the database is full. */
const fillingSchema = z.strictObject({
  importSeconds: z.number(),
  importPeakMb: z.number(),
  importLine: z.string(),
  orderSeconds: z.number(),
  orderCpuSeconds: z.number(),
})
type Filling = z.infer<typeof fillingSchema>

export type ScaleDatabases = {
  /** A database of as many variants and orders. Prints each step when it is done. */
  open: (engine: Engine, size: number) => Promise<string>
  close: () => Promise<void>
}

/** Databases that are removed at the end. */
export async function openTemporaryDatabases(): Promise<ScaleDatabases> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-scale-'))
  const server = await findPostgres({ durable: true })
  const templates = await makeTemplates(server.url, ['empty'], { durable: true })
  const removals: (() => Promise<void>)[] = []
  return {
    open: async (engine, size) => {
      const { url, remove } = await freshDatabase(templates, engine)
      removals.push(remove)
      report(await fill(url, size, folder))
      return url
    },
    close: async () => {
      for (const remove of removals) await remove()
      await templates.remove()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Databases that stay for the next run: SQLite files in a folder, and databases on the Postgres
 * server that TEST_DATABASE_URL names. One that was not filled to the end is filled again.
 */
export function keepDatabases(path: string): ScaleDatabases {
  const folder = resolve(path)
  mkdirSync(folder, { recursive: true })
  return {
    open: async (engine, size) => {
      const name = `meridian_scale_${size}`
      const url = engine === 'sqlite' ? `sqlite:${join(folder, name)}.sqlite` : postgresUrl(name)
      const facts = join(folder, `${engine}-${size}.json`)
      if (existsSync(facts)) {
        report(fillingSchema.parse(JSON.parse(readFileSync(facts, 'utf8'))))
        // The version that is measured may be newer than the one that filled it.
        await migrateDatabase(url)
        return url
      }
      await (engine === 'sqlite' ? removeFile(join(folder, `${name}.sqlite`)) : createAgain(url))
      await migrateDatabase(url)
      const filling = await fill(url, size, folder)
      writeFileSync(facts, JSON.stringify(filling, null, 2))
      report(filling)
      return url
    },
    close: async () => {},
  }
}

async function fill(url: string, size: number, folder: string): Promise<Filling> {
  const directory = await generateLargeDirectory(join(folder, `directory-${size}`), size)
  const { seconds, peakMb, lastLine } = await importCatalog(directory, url)
  console.log(`  imported in ${seconds.toFixed(0)} s; writing the orders`)
  const [started, before] = [performance.now(), process.cpuUsage()]
  await writeOrders(url, size, (done) => console.log(`  ${done} orders written`))
  const { user, system } = process.cpuUsage(before)
  const orderSeconds = (performance.now() - started) / 1000
  await vacuum(url)
  return {
    importSeconds: seconds,
    importPeakMb: peakMb,
    importLine: lastLine.replace(/ file=.*/, ''),
    orderSeconds,
    orderCpuSeconds: (user + system) / 1e6,
  }
}

/** What Postgres does by itself in a shop that grows over years. */
async function vacuum(url: string): Promise<void> {
  const db = openTestDatabase(url)
  try {
    if (getEngine(db) === 'postgres') await sql`vacuum (analyze)`.execute(db)
  } finally {
    await db.destroy()
  }
}

function report(filling: Filling): void {
  const { importSeconds, importPeakMb, importLine, orderSeconds, orderCpuSeconds } = filling
  console.log(
    `  import ${importSeconds.toFixed(0)} s, ${importPeakMb.toFixed(0)} MiB at most: ${importLine}\n` +
      `  orders written in ${orderSeconds.toFixed(0)} s, ${orderCpuSeconds.toFixed(0)} s of CPU in the writer`,
  )
}

async function migrateDatabase(url: string): Promise<void> {
  const db = openTestDatabase(url)
  try {
    await migrate(db)
  } finally {
    await db.destroy()
  }
}

async function removeFile(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

function postgresUrl(name: string): string {
  const server = process.env['TEST_DATABASE_URL']
  if (!server) throw new Error('--keep with Postgres needs a server that stays: set TEST_DATABASE_URL.')
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function createAgain(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  const client = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] })
  await client.connect()
  try {
    await client.query(`drop database if exists ${name}`)
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
}
