import { dosageForms } from '#domain/catalog/catalog.ts'
import { listIdentifiers } from '#domain/catalog/identifiers.ts'
import { findPackages, findSiblings, lockImported, type Sibling } from '#db/catalog/catalog-import.ts'
import { completeWithUpc } from '#db/catalog/catalog-upcs.ts'
import { RowRejectedError, type DirectoryRow } from './directory/columns.ts'
import type { DirectoryVariant } from './directory/directory-variant.ts'
import { fromUpcRow, normalizeUpc } from './directory/upc.ts'
import { findPendingRows, rejectRow, type ImportLines, type ParsedVariant } from './import-batch.ts'
import { saveParsedProducts } from './import-variants.ts'

/** The product code of the row's package, or the only product that its label names. */
function findProductNdc(row: DirectoryRow<'upc'>): string | null {
  if (row.package_ndc) return row.package_ndc.replace(/-[^-]*$/, '')
  return row.product_ndcs && !row.product_ndcs.includes(';') ? row.product_ndcs : null
}

/**
 * A package that is not in a directory takes its product, form and strength from another package of
 * its product.
 */
function withSibling(variant: DirectoryVariant, sibling: Sibling | undefined): DirectoryVariant {
  if (!sibling) return variant
  return {
    ...variant,
    product: { ...variant.product, catalogKey: sibling.productKey },
    dosageForm: dosageForms.find((form) => form === sibling.dosageForm) ?? null,
    strength: sibling.strength,
    strengthUnit: sibling.strengthUnit,
    labelStrength: sibling.labelStrength,
    labelForm: sibling.labelForm,
    controlledSchedule: sibling.controlledSchedule,
  }
}

/**
 * Imports lines of published UPCs: each completes the variant of its package, or becomes a variant
 * itself.
 */
export const importUpcLines: ImportLines = async (tx, run, columns, lines) => {
  const pending = await findPendingRows(
    tx,
    run,
    columns,
    'upc',
    (row) => `upc:${normalizeUpc(row.upc)}`,
    lines,
  )
  const ndcs = pending.flatMap(({ row }) => (row.package_ndc ? [row.package_ndc] : []))
  const packages = new Map(
    (await findPackages(tx, ndcs))
      .filter((found) => found.catalogKey.startsWith('ndc:'))
      .map((found) => [found.ndc, found]),
  )
  const siblings = await findSiblings(
    tx,
    pending.flatMap(({ row }) => findProductNdc(row) ?? []),
  )
  const standalone: ParsedVariant[] = []
  const completed: Parameters<typeof completeWithUpc>[1][number][] = []
  for (const { line, row, digest, catalogKey, known } of pending) {
    try {
      const variant = fromUpcRow(row)
      const upc = normalizeUpc(row.upc)
      const found = packages.get(row.package_ndc)
      if (!found) {
        const sibling = siblings.get(findProductNdc(row) ?? '')
        standalone.push({ variant: withSibling(variant, sibling), digest, isNew: !known?.variantId })
        continue
      }
      if (found.upc && found.upc !== upc)
        throw new RowRejectedError(`package ${row.package_ndc} already has UPC ${found.upc}`)
      found.upc = upc
      const identifiers = listIdentifiers({ ndc: null, din: null, upc })
      completed.push({ catalogKey, digest, variantKey: found.catalogKey, upc, identifiers })
    } catch (error) {
      rejectRow(run, line, error)
    }
  }
  const variantKeys = [
    ...completed.map(({ variantKey }) => variantKey),
    ...standalone.map(({ variant }) => variant.catalogKey),
  ]
  await lockImported(tx, { variantKeys, productKeys: [] })
  await completeWithUpc(tx, completed, run.now)
  run.counts.changed += completed.length
  const saveVariants = await saveParsedProducts(tx, run, standalone)
  await saveVariants(tx)
  // The next batch needs to know the UPCs of this one.
  return null
}
