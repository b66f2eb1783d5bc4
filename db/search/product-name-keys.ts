import { nameKey } from '#domain/search-words.ts'
import { prepared, type Db, type Params } from '../client.ts'
import { isOneOf } from '../sql.ts'

const namesOf = prepared((db, p: Params<{ ids: string }>) =>
  db
    .selectFrom('products')
    .select('name')
    .where(isOneOf(db, 'id', p.ids)),
)

/** The products' own names as search knows them, each once. */
export async function productNameKeys(db: Db, productIds: readonly string[]): Promise<string[]> {
  const rows = await namesOf(db, { ids: JSON.stringify(productIds) })
  return [...new Set(rows.map(({ name }) => nameKey(name)))]
}
