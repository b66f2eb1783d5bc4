import { getEngine, type Db } from '#db/engine/client.ts'
import { sql } from 'kysely'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { allColumns } from './all-columns.ts'

/** Every row stored about customers and their orders, excluding the catalog and the stock. */
export async function customersBytes(db: Db): Promise<Buffer> {
  const tables = [
    'checkouts',
    'orders',
    'order_events',
    'payment_events',
    'payment_holds',
    'prescription_items',
    'line_reviews',
    'case_drafts',
    'demo_payments',
    'outbox',
    'audit_log',
  ]
  const parts: string[] = []
  for (const table of tables) {
    const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(db)
    expect(rows.length > 0 || table === 'payment_events', table).toBe(true)
    parts.push(JSON.stringify(rows))
  }
  return Buffer.from(parts.join('\n'))
}

/**
 * Everything in the database: the file and its log on SQLite, each row of each table on Postgres.
 */
export async function databaseBytes(db: Db, url: string): Promise<Buffer> {
  if (getEngine(db) === 'sqlite') {
    const path = url.slice('sqlite:'.length)
    return Buffer.concat(
      [path, `${path}-wal`].filter((file) => existsSync(file)).map((file) => readFileSync(file)),
    )
  }
  const parts: string[] = []
  for (const table of new Set((await allColumns(db)).map((column) => column.table))) {
    const { rows } = await sql<{ line: string }>`select t::text as line from ${sql.table(table)} t`.execute(
      db,
    )
    parts.push(...rows.map(({ line }) => line))
  }
  return Buffer.from(parts.join('\n'))
}

/** The names and contents of all files below a folder. */
export const folderBytes = (folder: string): Buffer =>
  Buffer.concat(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .flatMap((path) => [Buffer.from(path), ...(statSync(path).isFile() ? [readFileSync(path)] : [])]),
  )
