import { idOfTime } from '#domain/ids.ts'
import { findPackages } from '#db/catalog/catalog-import.ts'
import { saveFirstStock, saveMakers, saveProducts, saveVariants } from '#db/catalog/catalog-save.ts'
import { renameKeys } from '#db/catalog/catalog-upcs.ts'
import type { Db } from '#db/engine/client.ts'
import type { DirectoryVariant } from './directory/directory-variant.ts'
import { fromDpdRow } from './directory/dpd.ts'
import { fromNdcRow } from './directory/ndc.ts'
import type { Line } from './directory/read-lines.ts'
import { pendingRows, rejectRow, toSave, type ImportRun, type PendingRow } from './import-batch.ts'

type ReadVariant = DirectoryVariant & { digest: string; isNew: boolean; line: number }

/** Takes some lines of the FDA's NDC directory, in the transaction that `tx` is. */
export async function importNdcLines(
  tx: Db,
  run: ImportRun,
  columns: ReadonlyMap<string, number>,
  lines: readonly Line[],
): Promise<void> {
  const pending = await pendingRows(tx, run, columns, 'ndc', (row) => `ndc:${row.package_ndc}`, lines)
  const variants = read(run, pending, fromNdcRow)
  await takeOverUpcVariants(tx, variants)
  await saveRead(tx, run, variants)
}

/** Takes some lines of Canada's Drug Product Database, in the transaction that `tx` is. */
export async function importDpdLines(
  tx: Db,
  run: ImportRun,
  columns: ReadonlyMap<string, number>,
  lines: readonly Line[],
): Promise<void> {
  const pending = await pendingRows(tx, run, columns, 'dpd', (row) => `din:${row.din}`, lines)
  await saveRead(tx, run, read(run, pending, fromDpdRow))
}

function read<Kind extends 'ndc' | 'dpd'>(
  run: ImportRun,
  pending: readonly PendingRow<Kind>[],
  fromRow: (row: PendingRow<Kind>['row']) => DirectoryVariant,
): ReadVariant[] {
  return pending.flatMap(({ line, row, digest, known }) => {
    try {
      return [{ ...fromRow(row), digest, line, isNew: !known?.variantId }]
    } catch (error) {
      rejectRow(run, line, error)
      return []
    }
  })
}

/** A package that was known by its UPC alone becomes the directory's package and keeps its UPC. */
async function takeOverUpcVariants(tx: Db, variants: readonly ReadVariant[]): Promise<void> {
  const isNew = new Map(variants.flatMap((one) => (one.isNew && one.ndc ? [[one.ndc, one]] : [])))
  const renames = new Map<string, { from: string; to: string; digest: string }>()
  for (const found of await findPackages(tx, [...isNew.keys()])) {
    const variant = isNew.get(found.ndc)
    if (!variant || !found.catalogKey.startsWith('upc:') || renames.has(variant.catalogKey)) continue
    renames.set(variant.catalogKey, {
      from: found.catalogKey,
      to: variant.catalogKey,
      digest: found.digest ?? '',
    })
    variant.isNew = false
  }
  await renameKeys(tx, [...renames.values()])
}

/** Writes what was read of a batch and counts it. */
export async function saveRead(
  tx: Db,
  run: ImportRun,
  read: readonly (DirectoryVariant & { digest: string; isNew: boolean })[],
): Promise<void> {
  const { makers, products, variants } = toSave(run, read)
  await saveMakers(tx, makers, run.now)
  await saveProducts(tx, products, run.now)
  await saveVariants(tx, variants, run.stock, run.now)
  const added = read.filter((one) => one.isNew)
  await saveFirstStock(
    tx,
    added.map(({ catalogKey }) => ({ id: idOfTime(run.now.getTime()), catalogKey })),
    run.stock,
    run.now,
  )
  run.counts.added += added.length
  run.counts.changed += read.length - added.length
}
