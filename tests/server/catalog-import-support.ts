import type { Db } from '#db/engine/client.ts'
import {
  importDirectories,
  type ImportOptions,
  type ImportReport,
} from '#server/catalog/import-directories.ts'
import { mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

const fixture = (name: string): string => join('tests/fixtures/directories', name)

export const samples = {
  ndc: fixture('ndc-sample-1000.tsv'),
  dpd: fixture('dpd-sample-1000.tsv'),
  upc: fixture('openfda-upc.tsv'),
  nadac: fixture('nadac-excerpt.tsv'),
}

export const allSamples: ImportOptions['files'] = [
  { kind: 'ndc', path: samples.ndc },
  { kind: 'dpd', path: samples.dpd },
  { kind: 'upc', path: samples.upc },
  { kind: 'nadac', path: samples.nadac },
]

export type Rejection = { line: number; reason: string }

/** Runs an import and collects the rejected rows. */
export async function runImport(
  db: Db,
  files: ImportOptions['files'],
  change: Partial<ImportOptions> = {},
): Promise<ImportReport & { rejections: Rejection[] }> {
  const rejections: Rejection[] = []
  const report = await importDirectories(db, {
    files,
    stock: 0,
    importer: { host: 'test', pid: 1 },
    isAlive: () => false,
    now: new Date('2026-01-05T12:00:00Z'),
    onReject: (_, line, reason) => rejections.push({ line, reason }),
    onProgress: () => {},
    sizeOf: (path) => statSync(path).size,
    ...change,
  })
  return { ...report, rejections }
}

/** Writes a file into a new temporary folder. */
export function temporaryFile(name: string, content: string | Buffer): string {
  // In the folder of the run, which is deleted when the run ends.
  const path = join(mkdtempSync(join(inject('templates').folder, 'import-')), name)
  writeFileSync(path, content)
  return path
}

/** A TSV file with these columns. Missing values are empty. */
export const tsv = (columns: readonly string[], rows: readonly Record<string, string>[]): string =>
  [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((values) => `${values.join('\t')}\n`)
    .join('')

/**
 * Everything an import wrote, keyed by the directories' keys instead of ids and times, one list per
 * table.
 */
export async function snapshot(db: Db): Promise<Record<string, string[]>> {
  const variants = await db
    .selectFrom('productVariants as v')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .leftJoin('manufacturers as m', 'm.id', 'v.manufacturerId')
    .leftJoin('productVariants as l', 'l.id', 'v.linkedVariantId')
    .selectAll('v')
    .select(['p.catalogKey as productKey', 'm.catalogKey as manufacturerKey', 'l.catalogKey as linkedKey'])
    .execute()
  const products = await db
    .selectFrom('products as p')
    .leftJoin('productVariants as c', 'c.id', 'p.coverVariantId')
    .selectAll('p')
    .select('c.catalogKey as coverKey')
    .execute()
  const codes = await db
    .selectFrom('variantIdentifiers as i')
    .innerJoin('productVariants as v', 'v.id', 'i.variantId')
    .select(['i.value', 'i.kind', 'v.catalogKey'])
    .execute()
  const names = await db
    .selectFrom('productNames as n')
    .innerJoin('products as p', 'p.id', 'n.productId')
    .select(['n.nameKey', 'n.kind', 'n.label', 'p.catalogKey'])
    .execute()
  const ledger = await db
    .selectFrom('inventoryTransactions as t')
    .innerJoin('productVariants as v', 'v.id', 't.productVariantId')
    .select(['v.catalogKey', 't.transactionType', 't.quantityChange', 't.quantityBefore', 't.quantityAfter'])
    .execute()
  const manufacturers = await db
    .selectFrom('manufacturers')
    .select(['name', 'nameKey', 'catalogKey'])
    .execute()
  const words = await db.selectFrom('searchWords').select(['word', 'products']).execute()
  const touched = await db.selectFrom('catalogTouched').selectAll().execute()
  const varying = new Set([
    'id',
    'productId',
    'manufacturerId',
    'linkedVariantId',
    'coverVariantId',
    'createdAt',
    'updatedAt',
    'version',
  ])
  const lines = (rows: readonly object[]): string[] =>
    rows
      .map((row) =>
        JSON.stringify(Object.fromEntries(Object.entries(row).filter(([key]) => !varying.has(key)))),
      )
      .sort()
  return {
    variants: lines(variants),
    products: lines(products),
    codes: lines(codes),
    names: lines(names),
    ledger: lines(ledger),
    manufacturers: lines(manufacturers),
    words: lines(words),
    left: lines(touched),
  }
}

/**
 * Everything including ids, versions and times: two are equal only when nothing was written in
 * between.
 */
export async function exactState(db: Db): Promise<string> {
  const tables = [
    'manufacturers',
    'products',
    'productVariants',
    'variantIdentifiers',
    'productNames',
  ] as const
  const rows: string[] = []
  for (const table of tables)
    for (const row of await db.selectFrom(table).selectAll().execute()) rows.push(table + JSON.stringify(row))
  return rows.sort().join('\n')
}

/** Pseudorandom numbers from 0 to 1 for a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
