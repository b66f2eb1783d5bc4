import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

const idsOfProducts = prepareQuery((db, p: Params<{ productIds: string }>) =>
  db
    .selectFrom('productDocuments')
    .select('id')
    .where(isOneOf(db, 'productId', p.productIds)),
)

/** The document ids of these products. */
export async function documentIds(db: Db, productIds: readonly string[]): Promise<number[]> {
  return (await idsOfProducts(db, { productIds: JSON.stringify(productIds) })).map(({ id }) => id)
}
