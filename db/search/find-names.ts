import type { Category } from '#domain/catalog/catalog.ts'
import type { NameKind } from '#domain/search/product-document.ts'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

export type ProductName = { productId: string; kind: NameKind; label: string }

const namesInRange = prepareQuery((db, p: Params<{ ids: string; start: string; end: string }>) =>
  db
    .selectFrom('productNames')
    .select(['productId', 'kind', 'label'])
    .where(isOneOf(db, 'productId', p.ids))
    .where('nameKey', '>=', p.start)
    .where('nameKey', '<', p.end)
    .orderBy('nameKey'),
)

/** The names of these products that start with a text, in alphabetical order. `start` is folded. */
export const findNamesStartingWith = (
  db: Db,
  productIds: readonly string[],
  start: string,
): Promise<ProductName[]> =>
  namesInRange(db, { ids: JSON.stringify(productIds), start, end: `${start}\u{10ffff}` })

const labelsOfProducts = prepareQuery((db, p: Params<{ ids: string }>) =>
  db
    .selectFrom('products')
    .select(['id', 'name', 'route', 'dosageForms', 'category'])
    .where(isOneOf(db, 'id', p.ids))
    .where('deletedAt', 'is', null),
)

/** What names a product and tells it apart from others of its name. */
export type ProductLabel = { name: string; route: string | null; forms: string[]; category: Category }

/** The labels of these products by id. */
export async function findProductLabels(
  db: Db,
  productIds: readonly string[],
): Promise<Map<string, ProductLabel>> {
  const rows = await labelsOfProducts(db, { ids: JSON.stringify(productIds) })
  return new Map(
    rows.map(({ id, dosageForms, ...label }) => [
      id,
      { ...label, forms: dosageForms.split(',').filter(Boolean) },
    ]),
  )
}

const namesOfProducts = prepareQuery((db, p: Params<{ ids: string }>) =>
  db
    .selectFrom('products')
    .select(['id', 'name'])
    .where(isOneOf(db, 'id', p.ids))
    .where('deletedAt', 'is', null),
)

/** The products' own names by id. */
export async function findProductNames(db: Db, productIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await namesOfProducts(db, { ids: JSON.stringify(productIds) })
  return new Map(rows.map(({ id, name }) => [id, name]))
}
