import { setSchedules } from '#db/catalog/catalog-edit.ts'
import type { Db } from '#db/engine/client.ts'
import { eachPage } from '#db/engine/each-row.ts'
import { lockIngredientNames } from '#db/screening/care-lists.ts'
import {
  changeIngredientRows,
  findProductTexts,
  listProductTexts,
  listProductsWithoutSets,
  loadIngredientRows,
  type ProductRow,
} from '#db/screening/product-ingredients.ts'
import { resolveIngredients } from '#domain/screening/product-ingredients.ts'
import { scheduleOfName } from '../catalog/directory/schedules.ts'
import { loadIngredientIndex } from './ingredient-index.ts'

const productsPerStep = 1000

/**
 * Updates the ingredients of these products, at the end of the transaction that edited them. Does
 * nothing in a shop without the list of names; its import updates all products.
 */
export async function refreshProductIngredients(db: Db, productIds: readonly string[]): Promise<void> {
  if (productIds.length === 0 || !(await lockIngredientNames(db, 'read'))) return
  await saveIngredients(db, await findProductTexts(db, productIds))
}

/** The same for all products, in the transaction that changed what names mean. */
export async function refreshAllIngredients(db: Db): Promise<void> {
  const read = (page: { after: string; limit: number }) => listProductTexts(db, page)
  for await (const products of eachPage(read, { key: 'id', limit: productsPerStep }))
    await saveIngredients(db, products)
}

/**
 * The same for products that have nothing yet: those that another process added while the first
 * list of names was imported, or before it was.
 */
export async function completeIngredients(db: Db): Promise<void> {
  const read = (page: { after: string; limit: number }) => listProductsWithoutSets(db, page)
  for await (const products of eachPage(read, { key: 'id', limit: productsPerStep })) {
    const ids = products.map(({ id }) => id)
    await db.transaction().execute((tx) => refreshProductIngredients(tx, ids))
  }
}

async function saveIngredients(db: Db, products: readonly ProductRow[]): Promise<void> {
  const index = await loadIngredientIndex(db, products)
  const stored = await loadIngredientRows(
    db,
    products.map(({ id }) => id),
  )
  const resolved = products.map((product) => ({ id: product.id, ...resolveIngredients(product, index) }))
  for (const kind of ['ingredient', 'unknown'] as const) {
    const wanted = resolved.flatMap(({ id, ingredients, unknownNames }) =>
      (kind === 'ingredient' ? ingredients : unknownNames).map((value) => ({ productId: id, value })),
    )
    const before = stored.filter((row) => row.kind === kind)
    const [right, known] = [new Set(wanted.map(toKey)), new Set(before.map(toKey))]
    await changeIngredientRows(db, kind, {
      removed: before.filter((row) => !right.has(toKey(row))),
      added: wanted.filter((row) => !known.has(toKey(row))),
    })
  }
  // A directory's product has the schedules of its variants.
  const named = products.flatMap(({ id, name, catalogKey }, i) =>
    catalogKey === null ? [{ id, schedule: scheduleOfName(name, resolved[i]?.ingredients) }] : [],
  )
  await setSchedules(db, named)
}

const toKey = ({ productId, value }: { productId: string; value: string }): string => `${productId} ${value}`
