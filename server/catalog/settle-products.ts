import type { DosageForm } from '#domain/catalog/catalog.ts'
import {
  forgetTouched,
  loadProductsToSettle,
  loadVariantsToSettle,
  nextTouched,
  refreshProductNames,
  saveLinks,
  saveProductTexts,
  type SettledProduct,
  type SettledVariant,
} from '#db/catalog/catalog-settle.ts'
import { bulkTransaction } from '#db/engine/bulk.ts'
import type { Db } from '#db/engine/client.ts'
import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import { describeMedicine, joinSchedules } from './directory/describe.ts'
import { linkToGenerics } from './directory/link-generics.ts'

const productsPerStep = 100

/**
 * Settles some of the products that an import touched: links brands to generics, writes names, schedule, description
 * and summary. One short transaction; killed before it ends, the same products are still to be settled.
 * @returns how many were settled; 0 when none is left
 */
export async function settleSomeProducts(db: Db, now: Date): Promise<number> {
  return bulkTransaction(db, async (tx) => {
    const ids = await nextTouched(tx, productsPerStep)
    if (ids.length === 0) return 0
    const variants = new Map<string, SettledVariant[]>(ids.map((id) => [id, []]))
    for (const variant of await loadVariantsToSettle(tx, ids)) variants.get(variant.productId)?.push(variant)
    await saveLinks(tx, [...variants.values()].flatMap(linkToGenerics), now)
    const products = await loadProductsToSettle(tx, ids)
    await saveProductTexts(
      tx,
      products.flatMap((product) => textsThatChange(product, variants.get(product.id) ?? [])),
      now,
    )
    await refreshProductNames(tx, ids)
    await refreshProductSummaries(tx, ids, now)
    await forgetTouched(tx, ids)
    return ids.length
  })
}

/** What the import says about a product now, when that is something else than before. */
function textsThatChange(
  product: SettledProduct,
  variants: readonly SettledVariant[],
): Pick<SettledProduct, 'id' | 'controlledSchedule' | 'description' | 'catalogDescription'>[] {
  // Products made by hand get no words of ours.
  if (product.catalogKey === null) return []
  const forms = new Set<DosageForm>()
  for (const { dosageForm } of variants) if (dosageForm) forms.add(dosageForm)
  const catalogDescription = describeMedicine({ ...product, forms })
  const isOurs = product.description === null || product.description === product.catalogDescription
  const description = isOurs ? catalogDescription : product.description
  // A schedule that came with variants of no directory (a seed, a hand) is not lifted by rows that have none.
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
