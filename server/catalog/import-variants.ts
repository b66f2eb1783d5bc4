import { findPackages, lockImported } from '#db/catalog/catalog-import.ts'
import {
  saveFirstStock,
  saveManufacturers,
  saveProducts,
  saveVariants,
  type ImportedVariant,
} from '#db/catalog/catalog-save.ts'
import { renameCatalogKeys } from '#db/catalog/catalog-upcs.ts'
import type { SecondStep } from '#db/engine/bulk.ts'
import type { Db } from '#db/engine/client.ts'
import { findFullRecalls } from '../screening/find-full-recall.ts'
import type { DirectoryVariant } from './directory/directory-variant.ts'
import { fromDpdRow } from './directory/dpd.ts'
import { fromNdcRow } from './directory/ndc.ts'
import { removeOutdatedLinks } from './remove-outdated-links.ts'
import {
  findPendingRows,
  rejectRow,
  toImportedRows,
  type ImportLines,
  type ImportRun,
  type ParsedVariant,
  type PendingRow,
} from './import-batch.ts'

/** Imports lines of the FDA's NDC directory. */
export const importNdcLines: ImportLines = async (tx, run, columns, lines) => {
  const pending = await findPendingRows(tx, run, columns, 'ndc', (row) => `ndc:${row.package_ndc}`, lines)
  const variants = parseVariants(run, pending, fromNdcRow)
  await adoptUpcVariants(tx, variants)
  return saveParsedProducts(tx, run, variants)
}

/** Imports lines of Canada's Drug Product Database. */
export const importDpdLines: ImportLines = async (tx, run, columns, lines) => {
  const pending = await findPendingRows(tx, run, columns, 'dpd', (row) => `din:${row.din}`, lines)
  return saveParsedProducts(tx, run, parseVariants(run, pending, fromDpdRow))
}

function parseVariants<Kind extends 'ndc' | 'dpd'>(
  run: ImportRun,
  pending: readonly PendingRow<Kind>[],
  fromRow: (row: PendingRow<Kind>['row']) => DirectoryVariant,
): ParsedVariant[] {
  return pending.flatMap(({ line, row, digest, known }) => {
    try {
      return [{ variant: fromRow(row), digest, isNew: !known?.variantId }]
    } catch (error) {
      rejectRow(run, line, error)
      return []
    }
  })
}

/**
 * Turns a variant that was known only by its UPC into the directory's package. It keeps its UPC.
 */
async function adoptUpcVariants(tx: Db, variants: readonly ParsedVariant[]): Promise<void> {
  const isNew = new Map(
    variants.flatMap((one) => (one.isNew && one.variant.ndc ? [[one.variant.ndc, one]] : [])),
  )
  const renames = new Map<string, { from: string; to: string; digest: string }>()
  for (const found of await findPackages(tx, [...isNew.keys()])) {
    const one = isNew.get(found.ndc)
    const to = one?.variant.catalogKey
    if (!one || !to || !found.catalogKey.startsWith('upc:') || renames.has(to)) continue
    renames.set(to, { from: found.catalogKey, to, digest: found.digest ?? '' })
    one.isNew = false
  }
  if (renames.size === 0) return
  const renamed = [...renames.values()]
  const variantKeys = [
    ...variants.map(({ variant }) => variant.catalogKey),
    ...renamed.map(({ from }) => from),
  ]
  await lockImported(tx, { variantKeys, productKeys: [] })
  await renameCatalogKeys(tx, renamed)
}

/**
 * Writes the products and manufacturers of a batch. Returns what writes its variants and counts
 * them.
 */
export async function saveParsedProducts(
  tx: Db,
  run: ImportRun,
  parsed: readonly ParsedVariant[],
): Promise<SecondStep> {
  const { manufacturers, products, variants } = toImportedRows(run, parsed)
  await lockImported(tx, { variantKeys: [], productKeys: products.map(({ catalogKey }) => catalogKey) })
  await saveManufacturers(tx, manufacturers, run.now)
  await saveProducts(tx, products, run.now)
  return async (tx) => {
    const known = variants.filter(({ isNew }) => !isNew)
    await lockImported(tx, {
      variantKeys: known.map(({ variant }) => variant.catalogKey),
      productKeys: variants.map(({ productKey }) => productKey),
    })
    await removeOutdatedLinks(tx, known)
    const recalled = await findRecalledVariants(tx, run, variants)
    const others = variants.filter((one) => !recalled.includes(one))
    await saveVariants(tx, others, run.stock, run.now)
    await saveVariants(tx, recalled, 0, run.now)
    const added = others.filter(({ isNew }) => isNew)
    await saveFirstStock(
      tx,
      added.map(({ variant }) => ({ id: run.nextStockId(), catalogKey: variant.catalogKey })),
      run.stock,
      run.now,
    )
    run.counts.recalled += recalled.length
    run.counts.added += added.length + recalled.length
    run.counts.changed += known.length
  }
}

/**
 * The new variants of which all lots are recalled. They get no stock: its units would be in no lot,
 * as `requireNoFullRecall` refuses.
 */
async function findRecalledVariants(
  tx: Db,
  run: ImportRun,
  variants: readonly ImportedVariant[],
): Promise<ImportedVariant[]> {
  const added = run.stock > 0 ? variants.filter(({ isNew }) => isNew) : []
  const packages = added.map(({ id, variant }) => ({ id, variantId: null, ...variant }))
  const recalls = await findFullRecalls({ db: tx }, packages)
  return added.filter(({ id }) => recalls.has(id))
}
