import type { DosageForm } from '#domain/catalog/catalog.ts'
import {
  clearTouched,
  loadTouchedProducts,
  loadTouchedVariants,
  takeTouched,
  refreshProductNames,
  saveLinks,
  saveProductTexts,
  type TouchedProduct,
  type TouchedVariant,
} from '#db/catalog/touched-products.ts'
import { bulkTransaction } from '#db/engine/bulk.ts'
import type { Db } from '#db/engine/client.ts'
import { lockIngredientNames } from '#db/screening/care-lists.ts'
import { lockVariantsOf } from '#db/inventory/lock-variants.ts'
import { lockProducts } from '#db/catalog/catalog-edit.ts'
import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import { refreshProductIngredients } from '../screening/refresh-product-ingredients.ts'
import { describeDirectoryProduct, joinSchedules } from './directory/describe.ts'
import { linkToGenerics } from './directory/link-generics.ts'

const productsPerStep = 250

/**
 * Updates some of the products that an import touched: links brands to generics, and writes names,
 * schedule, description and summary. It is one short transaction; if it is killed, the same
 * products stay marked. Two at once take different products.
 * @returns the number of products updated; 0 when none is left
 */
export async function refreshTouchedProducts(db: Db, now: Date): Promise<number> {
  return bulkTransaction(db, async (tx) => {
    const ids = await takeTouched(tx, productsPerStep)
    if (ids.length === 0) return 0
    // Before any product, as an import of care lists locks them.
    await lockIngredientNames(tx, 'read')
    // Variants before products, as sales lock them, and before they are read: an admin's link that
    // is committed in between would be overwritten.
    await lockVariantsOf(tx, ids)
    const variants = new Map<string, TouchedVariant[]>(ids.map((id) => [id, []]))
    for (const variant of await loadTouchedVariants(tx, ids)) variants.get(variant.productId)?.push(variant)
    await saveLinks(tx, [...variants.values()].flatMap(linkToGenerics), now)
    await lockProducts(tx, ids)
    const products = await loadTouchedProducts(tx, ids)
    await saveProductTexts(
      tx,
      products.flatMap((product) => changedTexts(product, variants.get(product.id) ?? [])),
      now,
    )
    await refreshProductNames(tx, ids)
    await refreshProductSummaries(tx, ids, now)
    await refreshProductIngredients(tx, ids)
    await clearTouched(tx, ids)
    return ids.length
  })
}

/** The texts that the import generates for a product, if they differ from the stored ones. */
function changedTexts(
  product: TouchedProduct,
  variants: readonly TouchedVariant[],
): Pick<TouchedProduct, 'id' | 'controlledSchedule' | 'description' | 'catalogDescription'>[] {
  // Products that an admin created keep their own texts.
  if (product.catalogKey === null) return []
  const forms = new Set<DosageForm>()
  for (const { dosageForm } of variants) if (dosageForm) forms.add(dosageForm)
  const catalogDescription = describeDirectoryProduct({ ...product, forms })
  const isGenerated = product.description === null || product.description === product.catalogDescription
  const description = isGenerated ? catalogDescription : product.description
  // Rows without a schedule do not remove one that a seed or an admin set.
  const fromDirectories = variants.every((variant) => variant.catalogDigest !== null)
  const schedules = variants.map((variant) => variant.controlledSchedule)
  const controlledSchedule = joinSchedules(
    fromDirectories ? schedules : [...schedules, product.controlledSchedule],
  )
  const isSame =
    description === product.description &&
    catalogDescription === product.catalogDescription &&
    controlledSchedule === product.controlledSchedule
  return isSame ? [] : [{ id: product.id, controlledSchedule, description, catalogDescription }]
}
