import type { Db } from '#db/engine/client.ts'
import { findManufacturers } from '#db/catalog/manufacturers.ts'
import { findVariantsByIdentifier } from '#db/search/find-identifiers.ts'
import { countVariants, findVariantsByWords } from '#db/search/find-variants.ts'
import { findVariantIdsBySku, findProductIds, findProductIdsOfManufacturers } from '#db/catalog/variants.ts'
import { parseIdentifier, type IdentifierLookup } from '#domain/catalog/identifiers.ts'
import { parseSearchQuery } from '#domain/search/search-query.ts'
import type { SearchNote } from '#domain/catalog/variant-grid.ts'
import { findByWords } from '../search/find-by-words.ts'

/**
 * Bounds of a search, so that it can answer on every keystroke. Past them the results are cut and
 * the page says so.
 */
const maxProducts = 1000
const maxVariants = 3000
const maxManufacturers = 20
const minManufacturerQuery = 3

/** `ids` is null when the query is blank. */
type SearchMatches = { ids: readonly string[] | null; note: SearchNote | null }

/**
 * Finds the variants for the back office's search. An identifier in any written form or an SKU
 * wins. Words match products, brands and manufacturers as in the shop. Never throws for any input.
 */
export async function findAdminVariants(db: Db, q: string): Promise<SearchMatches> {
  const found = await interpretSearch(db, q)
  if (!found) return { ids: null, note: null }
  if ('variantIds' in found) return { ids: found.variantIds, note: found.note }
  const { matching, isCut } = await matchVariants(db, found)
  return { ids: matching.map(({ id }) => id), note: found.note ?? (isCut ? { kind: 'capped' } : null) }
}

/**
 * The variants for a typeahead, ranked as in the shop: by the rank of their product, then
 * oldest first.
 */
export async function rankAdminVariants(db: Db, q: string): Promise<string[]> {
  const found = await interpretSearch(db, q)
  if (!found) return []
  if ('variantIds' in found) return [...found.variantIds]
  const { matching } = await matchVariants(db, found)
  const ranks = new Map(found.productIds.map((id, rank) => [id, rank]))
  const rank = (productId: string): number => ranks.get(productId) ?? found.productIds.length
  return matching
    .toSorted((a, b) => rank(a.productId) - rank(b.productId) || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id)
}

async function matchVariants(
  db: Db,
  found: WordMatches,
): Promise<{ matching: { id: string; productId: string }[]; isCut: boolean }> {
  const { manufacturerIds, words } = found
  const productIds = await withinVariantLimit(db, found.productIds)
  const scope = { productIds, manufacturerIds, limit: maxVariants }
  const exact = await findVariantsByWords(db, { ...scope, words })
  // A product found by another name does not contain the typed words; then all its variants match.
  const matching = exact.length > 0 ? exact : await findVariantsByWords(db, { ...scope, words: [] })
  return { matching, isCut: productIds.length < found.productIds.length }
}

/** Finds the products for the same search. */
export async function findAdminProducts(db: Db, q: string): Promise<SearchMatches> {
  const found = await interpretSearch(db, q)
  if (!found) return { ids: null, note: null }
  if ('variantIds' in found) return { ids: await findProductIds(db, found.variantIds), note: found.note }
  const ofManufacturers = await findProductIdsOfManufacturers(db, found.manufacturerIds)
  return { ids: [...new Set([...found.productIds, ...ofManufacturers])], note: found.note }
}

type WordMatches = {
  /** Ranked as in the shop. */
  productIds: readonly string[]
  manufacturerIds: readonly string[]
  words: readonly string[]
}
type Interpretation = { note: SearchNote | null } & ({ variantIds: readonly string[] } | WordMatches)

async function interpretSearch(db: Db, q: string): Promise<Interpretation | null> {
  const text = q.trim()
  if (text === '') return null
  const identifier = parseIdentifier(text)
  const [identified, bySku] = await Promise.all([
    identifier ? findVariantsByIdentifier(db, [...identifier.steps, lookupAsTyped(text)]) : [],
    findVariantIdsBySku(db, text),
  ])
  const variantIds = [...new Set([...identified.map(({ variantId }) => variantId), ...bySku])]
  if (variantIds.length > 0) return { variantIds, note: null }
  if (identifier?.isCertain) {
    return { variantIds: [], note: identifier.invalid ? { kind: 'bad-check-digit' } : null }
  }
  return searchByWords(db, text)
}

/**
 * The back office stores identifiers as printed, so they are also looked up as typed: an NDC
 * without dashes, or a UPC with a wrong check digit.
 */
const lookupAsTyped = (text: string): IdentifierLookup[] => {
  const digits = text.replace(/[\s-]/g, '')
  const typed: IdentifierLookup = { kind: 'ndc', value: text.toLowerCase(), prefix: false }
  if (!/^\d{6,14}$/.test(digits)) return [typed]
  return [
    typed,
    { kind: 'upc', value: digits, prefix: false },
    { kind: 'din', value: digits.padStart(8, '0'), prefix: false },
  ]
}

async function searchByWords(db: Db, text: string): Promise<Interpretation> {
  const query = parseSearchQuery(text)
  if (!query) return { variantIds: [], note: null }
  const filter = { category: null, manufacturerId: null }
  const [{ productIds, repairedQuery, relaxed, total }, manufacturers] = await Promise.all([
    findByWords(db, query, { filter, among: null, end: maxProducts, countTo: maxProducts }),
    text.length < minManufacturerQuery ? [] : findManufacturers(db, text, maxManufacturers),
  ])
  return {
    productIds,
    manufacturerIds: manufacturers.map(({ id }) => id),
    words: (relaxed?.shown ?? repairedQuery ?? text)
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
    note: relaxed
      ? { kind: 'relaxed', search: relaxed }
      : repairedQuery !== null
        ? { kind: 'repaired', query: repairedQuery }
        : total > maxProducts
          ? { kind: 'capped' }
          : null,
  }
}

/** The best-ranked products, as long as their variants stay within the limit. */
async function withinVariantLimit(db: Db, productIds: readonly string[]): Promise<string[]> {
  const counts = await countVariants(db, productIds)
  let variants = 0
  const end = productIds.findIndex((id) => (variants += counts.get(id) ?? 0) > maxVariants)
  return productIds.slice(0, end === -1 ? undefined : Math.max(end, 1))
}
