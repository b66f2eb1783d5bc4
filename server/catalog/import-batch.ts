import { newId } from '#domain/ids.ts'
import { fold } from '#domain/text.ts'
import { listIdentifiers } from '#domain/catalog/identifiers.ts'
import { findKnownRows, recordSeenKeys, type KnownRow } from '#db/catalog/catalog-import.ts'
import type { ImportedManufacturer, ImportedProduct, ImportedVariant } from '#db/catalog/catalog-save.ts'
import type { Db } from '#db/engine/client.ts'
import type { SecondStep } from '#db/engine/bulk.ts'
import { hash } from 'node:crypto'
import {
  parseLine,
  RowRejectedError,
  type DirectoryKind,
  type DirectoryRow,
  type Columns,
} from './directory/columns.ts'
import type { DirectoryVariant } from './directory/directory-variant.ts'
import type { Line } from './directory/read-lines.ts'

/** The state of a running import. */
export type ImportRun = {
  now: Date
  /** Stock on hand of each new variant, except one of which all lots are recalled. */
  stock: number
  /** Makes the ids of the first ledger rows. */
  nextStockId: () => string
  /**
   * Keys of manufacturers and products already written in this run. A product's key says whether
   * its drug class was known.
   */
  saved: Set<string>
  counts: {
    read: number
    added: number
    /** Of those added, how many got no stock because all of their lots are recalled. */
    recalled: number
    changed: number
    unchanged: number
    rejected: number
  }
  reject: (line: number, reason: string) => void
}

/** Imports lines of one kind of file. Returns what is left to write, once this is committed. */
export type ImportLines = (
  tx: Db,
  run: ImportRun,
  columns: Columns,
  lines: readonly Line[],
) => Promise<SecondStep | null>

/** A row to write: new, or different from the last import. */
export type PendingRow<Kind extends DirectoryKind> = {
  line: number
  catalogKey: string
  digest: string
  row: DirectoryRow<Kind>
  known: KnownRow | undefined
}

/** Raise this when the parser changes, so that importing the same files again updates the rows. */
const parserVersion = 1

const computeDigest = (kind: DirectoryKind, row: Record<string, string>): string =>
  hash('sha256', [`${kind}${parserVersion}`, ...Object.values(row)].join('\t'), 'base64url').slice(0, 22)

/**
 * Parses lines, counts and rejects them, and returns the rows to write. When a key occurs twice in
 * a run the first row wins: an equal row counts as unchanged and a different one is rejected. A row
 * whose digest is already stored is unchanged.
 */
export async function findPendingRows<Kind extends DirectoryKind>(
  db: Db,
  run: ImportRun,
  columns: Columns,
  kind: Kind,
  keyOf: (row: DirectoryRow<Kind>) => string,
  lines: readonly Line[],
): Promise<PendingRow<Kind>[]> {
  const parsed: PendingRow<Kind>[] = []
  for (const { number, text } of lines) {
    if (text === '') continue
    run.counts.read++
    try {
      if (text === null) throw new RowRejectedError('the line is longer than 1 MiB')
      if (text.includes('\uFFFD')) throw new RowRejectedError('the line is not UTF-8 text')
      if (text.includes('\0')) throw new RowRejectedError('the line contains a NUL character')
      const row = parseLine<Kind>(columns, text)
      const catalogKey = keyOf(row)
      parsed.push({ line: number, catalogKey, digest: computeDigest(kind, row), row, known: undefined })
    } catch (error) {
      rejectRow(run, number, error)
    }
  }
  const known = await findKnownRows(
    db,
    parsed.map((one) => one.catalogKey),
  )
  const inThisBatch = new Map<string, string>()
  const pending: PendingRow<Kind>[] = []
  for (const one of parsed) {
    const before = known.get(one.catalogKey)
    const seen = inThisBatch.get(one.catalogKey) ?? before?.seenDigest ?? null
    if (seen === null) inThisBatch.set(one.catalogKey, one.digest)
    if (seen !== null && seen !== one.digest)
      rejectRow(
        run,
        one.line,
        new RowRejectedError(`${one.catalogKey} occurs earlier in this import with different values`),
      )
    else if (seen !== null || before?.variantDigest === one.digest || before?.completedDigest === one.digest)
      run.counts.unchanged++
    else pending.push({ ...one, known: before })
  }
  await recordSeenKeys(
    db,
    [...inThisBatch].map(([catalogKey, digest]) => ({ catalogKey, digest })),
  )
  return pending
}

/** Counts a row as rejected. Rethrows any other error. */
export function rejectRow(run: ImportRun, line: number, error: unknown): void {
  if (!(error instanceof RowRejectedError)) throw error
  run.counts.rejected++
  run.reject(line, error.message)
}

/** A row's variant, to write. */
export type ParsedVariant = { variant: DirectoryVariant; digest: string; isNew: boolean }

const maxSavedKeys = 50_000

/** Converts a batch to database rows, each manufacturer and product once. */
export function toImportedRows(
  run: ImportRun,
  parsed: readonly ParsedVariant[],
): {
  manufacturers: ImportedManufacturer[]
  products: ImportedProduct[]
  variants: ImportedVariant[]
} {
  const manufacturers = new Map<string, ImportedManufacturer>()
  const products = new Map<string, ImportedProduct>()
  if (run.saved.size > maxSavedKeys) run.saved.clear()
  const isFirst = (key: string): boolean => !run.saved.has(key) && run.saved.add(key) !== null
  for (const { manufacturer, product } of parsed.map(({ variant }) => variant)) {
    if (manufacturer && isFirst(`manufacturer ${manufacturer.key}`))
      manufacturers.set(manufacturer.key, {
        id: newId(),
        catalogKey: manufacturer.key,
        name: manufacturer.name,
        nameKey: fold(manufacturer.name),
      })
    // A later row may still supply the drug class.
    if (!isFirst(`${product.catalogKey} ${product.drugClass !== null}`)) continue
    const existing = products.get(product.catalogKey)
    if (existing) existing.drugClass ??= product.drugClass
    else products.set(product.catalogKey, { id: newId(), ...product, sortName: fold(product.name) })
  }
  return {
    manufacturers: [...manufacturers.values()],
    products: [...products.values()],
    variants: parsed.map(({ variant, digest, isNew }) => ({
      id: newId(),
      digest,
      isNew,
      variant,
      productKey: variant.product.catalogKey,
      manufacturer: variant.manufacturer && {
        key: variant.manufacturer.key,
        nameKey: fold(variant.manufacturer.name),
      },
      names: variant.names.map(({ kind, label, key }) => [kind, label, key]),
      identifiers: listIdentifiers(variant),
    })),
  }
}
