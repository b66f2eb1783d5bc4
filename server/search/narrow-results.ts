import { loadProductCards } from '#db/catalog/products.ts'
import type { Db } from '#db/engine/client.ts'
import { listPharmacies } from '#db/partners/pharmacies.ts'
import { listProductIds } from '#db/search/list-page.ts'
import { countOffers, type FoundProducts } from '#db/search/count-offers.ts'
import { findCheapestUnits, listNarrowed } from '#db/search/narrow-products.ts'
import { categories, dosageForms, type ProductCard } from '#domain/catalog/catalog.ts'
import { unitPriceText } from '#domain/catalog/variant-choice.ts'
import { toCountryCode } from '#domain/dispensing/destination.ts'
import {
  countFacets,
  matchingGroups,
  otherForm,
  priceBandKeys,
  productSorts,
  type FacetCounts,
  type FacetSelection,
  type ProductSort,
  type ShippingCountries,
} from '#domain/search/facets.ts'
import { fold } from '#domain/text.ts'

/** Values from the URL. Unknown ones are ignored. */
export type NarrowingParams = {
  category?: string | undefined
  form?: string | undefined
  /** "in" for what is in stock. */
  stock?: string | undefined
  price?: string | undefined
  shipsTo?: string | undefined
  sort?: string | undefined
  /** Counts each facet, even when nothing is narrowed. */
  facets?: boolean
}

export type Narrowing = { selection: FacetSelection; sort: ProductSort }

const knownOf = <Value extends string>(values: readonly Value[], text: string | undefined): Value | null =>
  values.find((value) => value === text?.trim()) ?? null

/** How results are narrowed, sorted and counted. Null when they are not. */
export function readNarrowing(params: NarrowingParams): Narrowing | null {
  const selection: FacetSelection = {
    category: knownOf(categories, params.category),
    form: knownOf([...dosageForms, otherForm], params.form),
    inStock: params.stock === 'in',
    price: knownOf(priceBandKeys, params.price),
    shipsTo: params.shipsTo?.trim() || null,
  }
  const sort = knownOf(productSorts, params.sort)
  const { category: _, ...others } = selection
  const isNarrowed = sort !== null || Object.values(others).some(Boolean)
  return params.facets || isNarrowed ? { selection, sort: sort ?? 'relevance' } : null
}

/** Narrowed and sorted results are read up to this limit; both directories have 4,500 medicines. */
export const maxNarrowed = 10_000

const isNarrowing = (selection: FacetSelection): boolean => Object.values(selection).some(Boolean)

/** Whether a page needs the ids of all results: to narrow or to sort them. */
export const needsAllIds = ({ selection, sort }: Narrowing): boolean =>
  isNarrowing(selection) || sort !== 'relevance'

/** The first results in order of relevance, or all of them when `needsAllIds`, and what all are. */
type Results = { productIds: readonly string[]; all: FoundProducts }

export type NarrowedPage = {
  products: ProductCard[]
  total: number
  page: number
  pageCount: number
  facets: FacetCounts
}

/**
 * One page of the found products, or of all products when `found` is null, narrowed and sorted,
 * with the counts of the facets.
 */
export async function narrowResults(
  db: Db,
  found: Results | null,
  { selection: asked, sort }: Narrowing,
  { page, limit }: { page: number; limit: number },
): Promise<NarrowedPage> {
  const shipping = await findShippingCountries(db)
  const selection = { ...asked, shipsTo: asked.shipsTo && shipping.nameOf(asked.shipsTo) }
  const productIds = found && found.productIds
  const isNarrowed = isNarrowing(selection)
  // When all ids are read, the counts are those of exactly these products.
  const counted =
    found && (needsAllIds({ selection: asked, sort }) ? { productIds: found.productIds } : found.all)
  const groups = await countOffers(db, counted, maxNarrowed)
  const matching = isNarrowed ? matchingGroups(groups, selection, shipping.countries) : groups
  const total = matching.reduce((sum, { products }) => sum + products, 0)
  const pageCount = Math.ceil(total / limit)
  const shownPage = Math.max(1, Math.min(page, pageCount))
  const offset = (shownPage - 1) * limit
  const listIds = async (): Promise<readonly string[]> => {
    if (total === 0) return []
    if (isNarrowed || sort !== 'relevance')
      return listNarrowed(db, { productIds, groups: isNarrowed ? matching : null, sort, offset, limit })
    return productIds
      ? productIds.slice(offset, offset + limit)
      : listProductIds(db, { category: null, offset, limit, total })
  }
  const products = await loadProductCards(db, await listIds())
  return {
    products: sort === 'unit-price' ? await withUnitPrices(db, products) : products,
    total,
    page: shownPage,
    pageCount,
    facets: countFacets(groups, selection, shipping.countries),
  }
}

/** Where the active pharmacies ship to, each country under one name. */
async function findShippingCountries(
  db: Db,
): Promise<{ countries: ShippingCountries; nameOf: (country: string) => string }> {
  const names = new Map<string, string>()
  const keyOf = (country: string): string => toCountryCode(country) ?? fold(country)
  const byPharmacy = new Map<string, string[]>()
  for (const { id, active, shipsTo } of await listPharmacies(db)) {
    if (!active) continue
    for (const country of shipsTo) if (!names.has(keyOf(country))) names.set(keyOf(country), country)
    byPharmacy.set(
      id,
      shipsTo.map((country) => names.get(keyOf(country)) ?? country),
    )
  }
  // A product without a pharmacy ships from any of them.
  const all = [...names.values()]
  return {
    countries: (pharmacyId) => (pharmacyId === null ? all : (byPharmacy.get(pharmacyId) ?? [])),
    nameOf: (country) => names.get(keyOf(country)) ?? country,
  }
}

async function withUnitPrices(db: Db, products: readonly ProductCard[]): Promise<ProductCard[]> {
  const units = await findCheapestUnits(
    db,
    products.map(({ id }) => id),
  )
  return products.map((card) => {
    const unit = units.get(card.id)
    if (!unit) return card
    const price = unitPriceText(unit.priceCents / 100 / unit.packageSize, unit.packageUnit.toLowerCase())
    return { ...card, unitPrice: `from ${price}` }
  })
}
