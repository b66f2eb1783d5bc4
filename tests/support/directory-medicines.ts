import { findRouteGroup, routeLabel } from '#server/catalog/directory/routes.ts'
import { readIngredientNames, readTsv } from './care-lists.ts'

/** A product of a directory. */
export type DirectoryMedicine = {
  name: string
  country: 'US' | 'CA'
  isBrand: boolean
  ingredients: readonly string[]
  /** As a product's. */
  route: string | null
}

/** Real medicines of both directories, each name once, with ingredients by the care lists. */
export function readDirectoryMedicines(
  folder: string,
  names: { ndc: string; dpd: string },
): DirectoryMedicine[] {
  const keyOf = new Map(
    readIngredientNames().map(({ country, name, ingredient }) => [`${country} ${name}`, ingredient]),
  )
  const toIngredients = (country: string, substances: string): string[] =>
    [
      ...new Set(
        substances
          .split(';')
          .map((name) => name.trim().toUpperCase())
          .filter(Boolean)
          .map((name) => keyOf.get(`${country} ${name}`) ?? name),
      ),
    ].toSorted()
  const us = readTsv(`${folder}/${names.ndc}`).map((row): DirectoryMedicine => ({
    name: row.proprietary_name ?? '',
    country: 'US',
    isBrand: row.proprietary_name?.toUpperCase() !== row.nonproprietary_name?.toUpperCase(),
    ingredients: toIngredients('US', row.substances ?? ''),
    route: routeLabel(findRouteGroup(row.route ?? '', row.dosage_form)),
  }))
  const ca = readTsv(`${folder}/${names.dpd}`).map((row): DirectoryMedicine => ({
    name: row.brand_name ?? '',
    country: 'CA',
    isBrand: !(row.ingredients ?? '').startsWith((row.brand_name ?? '').split(' ')[0] ?? ''),
    ingredients: toIngredients('CA', row.ingredients ?? ''),
    route: routeLabel(findRouteGroup(row.route ?? '', row.dosage_form)),
  }))
  const known = new Map<string, DirectoryMedicine>()
  for (const medicine of [...us, ...ca])
    if (medicine.ingredients.length > 0)
      known.set(
        `${medicine.country} ${medicine.name} ${medicine.route} ${medicine.ingredients.join()}`,
        medicine,
      )
  return [...known.values()]
}
