import type { Db } from '#db/engine/client.ts'
import { findNameRows } from '#db/screening/product-ingredients.ts'
import {
  namesToLookUp,
  toIngredientIndex,
  toShownMoiety,
  type IngredientIndex,
  type ProductTexts,
} from '#domain/screening/product-ingredients.ts'
import { findBrands } from './medicine-names.ts'

/** What is known of the names of these products, for `resolveIngredients`. */
export async function loadIngredientIndex(
  db: Db,
  products: readonly ProductTexts[],
): Promise<IngredientIndex> {
  const names = [...new Set(products.flatMap(namesToLookUp))]
  const moieties = new Set(names.flatMap((name) => [name.toLowerCase(), toShownMoiety(name)]))
  const typed = products.filter(({ ingredients }) => ingredients === null).flatMap(namesToLookUp)
  const [rows, brands] = await Promise.all([
    findNameRows(db, { names, moieties: [...moieties] }),
    findBrands({ db }, typed),
  ])
  return toIngredientIndex(rows, brands)
}
