import { newId } from '#domain/ids.ts'
import { fold } from '#domain/text.ts'
import { identifiersOf } from '#domain/catalog/identifiers.ts'
import { findKnownRows, recordSeenKeys, type KnownRow } from '#db/catalog/catalog-import.ts'
import type { ImportedManufacturer, ImportedProduct, ImportedVariant } from '#db/catalog/catalog-save.ts'
import type { Db } from '#db/engine/client.ts'
import { createHash } from 'node:crypto'
import { parseLine, RowRejectedError, type DirectoryKind, type DirectoryRow } from './directory/columns.ts'
import type { DirectoryVariant } from './directory/directory-variant.ts'
import type { Line } from './directory/read-lines.ts'

/** What an import does while it runs. */
export type ImportRun = {
  now: Date
  /** On hand of each new variant. */
  stock: number
  /** Makers and products that this run has written already; with their class when that was known. */
  saved: Set<string>
  counts: { read: number; added: number; changed: number; unchanged: number; rejected: number }
  reject: (line: number, reason: string) => void
}

/** A row that is to be written: new, or said something else before. */
export type PendingRow<Kind extends DirectoryKind> = {
  line: number
  catalogKey: string
  digest: string
  row: DirectoryRow<Kind>
  known: KnownRow | undefined
}

/** Raised when rows are read otherwise than before, so that a new import of the same files brings them up to date. */
const readingVersion = 1

function digestOf(kind: DirectoryKind, row: Record<string, string>): string {
  const hash = createHash('sha256').update(`${kind}${readingVersion}`)
  for (const value of Object.values(row)) hash.update('\t').update(value)
  return hash.digest('base64url').slice(0, 22)
}

/**
 * Parses some lines, counts and rejects, and leaves what is to be written: of a key met twice in one run the first row
 * counts, an equal one is unchanged and a different one rejected; a row whose digest stands already is unchanged.
 */
export async function findPendingRows<Kind extends DirectoryKind>(
  db: Db,
  run: ImportRun,
  columns: ReadonlyMap<string, number>,
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
      if (text.includes('\0')) throw new RowRejectedError('the line holds a NUL character')
      const row = parseLine<Kind>(columns, text)
      const catalogKey = keyOf(row)
      parsed.push({ line: number, catalogKey, digest: digestOf(kind, row), row, known: undefined })
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
        new RowRejectedError(`${one.catalogKey} stands before in this import, with other words`),
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

/** Counts a row as rejected when that is what the error says; every other error goes on. */
export function rejectRow(run: ImportRun, line: number, error: unknown): void {
  if (!(error instanceof RowRejectedError)) throw error
  run.counts.rejected++
  run.reject(line, error.message)
}

const maxSavedKeys = 50_000

/** The rows of a batch as the database takes them, makers and products once each. */
export function toImportedRows(
  run: ImportRun,
  variants: readonly (DirectoryVariant & { digest: string })[],
): {
  makers: ImportedManufacturer[]
  products: ImportedProduct[]
  variants: ImportedVariant[]
} {
  const makers = new Map<string, ImportedManufacturer>()
  const products = new Map<string, ImportedProduct>()
  if (run.saved.size > maxSavedKeys) run.saved.clear()
  const isFirst = (key: string): boolean => !run.saved.has(key) && run.saved.add(key) !== null
  for (const { maker, medicine } of variants) {
    if (maker && isFirst(`maker ${maker.key}`))
      makers.set(maker.key, {
        id: newId(),
        catalogKey: maker.key,
        name: maker.name,
        nameKey: fold(maker.name),
      })
    // A class that a later row states is still to be filled in.
    if (!isFirst(`${medicine.catalogKey} ${medicine.drugClass !== null}`)) continue
    const existing = products.get(medicine.catalogKey)
    if (existing) existing.drugClass ??= medicine.drugClass
    else products.set(medicine.catalogKey, { id: newId(), ...medicine, sortName: fold(medicine.name) })
  }
  return {
    makers: [...makers.values()],
    products: [...products.values()],
    variants: variants.map(({ medicine, maker, names, digest, ...variant }) => ({
      id: newId(),
      ...variant,
      catalogDigest: digest,
      productKey: medicine.catalogKey,
      manufacturerKey: maker?.key ?? null,
      names: names.map(({ kind, label, key }) => [kind, label, key]),
      identifiers: identifiersOf(variant),
    })),
  }
}
