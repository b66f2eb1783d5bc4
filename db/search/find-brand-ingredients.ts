import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

const ofBrands = prepareQuery((db, p: Params<{ brandKeys: string }>) =>
  db
    .selectFrom('careBrands')
    .select(['brandKey', 'ingredient'])
    .where(isOneOf(db, 'brandKey', p.brandKeys)),
)

/** The ingredient of each of these brands that the list `rxnorm-brands` has, in lower case. */
export async function findBrandIngredients(
  db: Db,
  brands: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await ofBrands(db, { brandKeys: JSON.stringify(brands.map((brand) => brand.toUpperCase())) })
  return new Map(rows.map(({ brandKey, ingredient }) => [brandKey.toLowerCase(), ingredient.toLowerCase()]))
}
