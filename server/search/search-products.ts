import type { Db } from '#db/engine/client.ts'
import { loadProductCards } from '#db/catalog/products.ts'
import { documentIds } from '#db/search/document-ids.ts'
import { findDocuments } from '#db/search/find-documents.ts'
import { findVariantsByIdentifier, type IdentifiedVariant } from '#db/search/find-identifiers.ts'
import { countProducts, listProductIds } from '#db/search/list-page.ts'
import { filterMatch } from '#domain/search/search-tiers.ts'
import { categories, type Category, type ProductCard } from '#domain/catalog/catalog.ts'
import {
  findIdentifierAmongWords,
  identifierLabel,
  parseIdentifier,
  type ParsedIdentifier,
} from '#domain/catalog/identifiers.ts'
import { isId } from '#domain/ids.ts'
import { findEmergency, type Emergency } from '#domain/search/emergency-terms.ts'
import type { FacetCounts } from '#domain/search/facets.ts'
import type { NeedClass } from '#domain/search/needs.ts'
import type { RelaxedSearch } from '#domain/search/relaxed-search.ts'
import { parseSearchQuery } from '#domain/search/search-query.ts'
import type { Context } from '#server/context.ts'
import { findByNeed } from './find-by-need.ts'
import { findByWords, toFoundProducts, toFoundMatches } from './find-by-words.ts'
import {
  maxNarrowed,
  narrowResults,
  needsAllIds,
  readNarrowing,
  type Narrowing,
  type NarrowingParams,
} from './narrow-results.ts'

/** Values from the URL. Blank values are ignored. */
export type ProductSearch = NarrowingParams & {
  q?: string | undefined
  manufacturerId?: string | undefined
  ndc?: string | undefined
  din?: string | undefined
  upc?: string | undefined
  /** 1-based. A page past the end returns the last page. */
  page?: number | undefined
  /** 1 to 100. */
  limit?: number | undefined
  /**
   * Answers a customer: a lay term finds the medicines of its classes ("heartburn"), and an
   * emergency finds none. Typeaheads of the staff only look for names.
   */
  byNeed?: boolean
}

export type ProductSearchResult = {
  products: ProductCard[]
  total: number
  /** There are more than `total`. */
  totalIsCapped: boolean
  page: number
  pageCount: number
  /** Why nothing was found, or that another query was used than the typed one. */
  note: 'bad-check-digit' | 'repaired' | 'relaxed' | null
  repairedQuery: string | null
  /** Set with the note "relaxed", when words without a match were ignored. */
  relaxed: RelaxedSearch | null
  /** The classes that a lay term was answered with. */
  need: { term: string; classes: readonly NeedClass[]; forChild: boolean } | null
  /** The query asks for help that is no medicine, so nothing was looked for. */
  emergency: Emergency | null
  /** Null when they were not asked for. */
  facets: FacetCounts | null
}

const pageSize = 24
const maxPageSize = 100
/** Results are counted and paged up to this limit. */
const maxResults = 1000

const bounded = (value: number | undefined, fallback: number, least: number, most: number): number =>
  value === undefined || !Number.isFinite(value)
    ? fallback
    : Math.min(Math.max(Math.floor(value), least), most)

const nothing = (note: ProductSearchResult['note']): ProductSearchResult => ({
  products: [],
  total: 0,
  totalIsCapped: false,
  page: 1,
  pageCount: 0,
  note,
  repairedQuery: null,
  relaxed: null,
  need: null,
  emergency: null,
  facets: null,
})

const identifierFields = ['ndc', 'din', 'upc'] as const

/**
 * Finds products, best match first. Without terms it lists all products in their order. An
 * identifier in any written form takes precedence. Never throws for any input: what cannot be
 * parsed finds nothing.
 */
export async function searchProducts(
  ctx: Pick<Context, 'reads'>,
  search: ProductSearch,
): Promise<ProductSearchResult> {
  const { reads: db } = ctx
  const limit = bounded(search.limit, pageSize, 1, maxPageSize)
  const page = bounded(search.page, 1, 1, Number.MAX_SAFE_INTEGER)
  const text = search.q?.trim() ?? ''
  // Before all else: a wrong filter must not hide whom to call.
  const emergency = search.byNeed ? findEmergency(text) : null
  if (emergency) return { ...nothing(null), emergency }
  const manufacturerId = search.manufacturerId?.trim() || null
  const category = categories.find((known) => known === search.category?.trim()) ?? null
  if (search.category?.trim() && !category) return nothing(null)
  if (manufacturerId && !isId(manufacturerId)) return nothing(null)
  // As a facet, the category also has counts for the results without it.
  const narrowing = readNarrowing(search)
  const filter = { category: narrowing ? null : category, manufacturerId }

  let identified: IdentifiedVariant[] | null = null
  for (const field of identifierFields) {
    const value = search[field]?.trim()
    if (!value) continue
    const parsed = parseIdentifier(value, field)
    const found = parsed ? await findVariantsByIdentifier(db, parsed.steps) : []
    identified = identified ? intersect(identified, found) : found
    if (identified.length === 0) return nothing(toNote(parsed))
  }

  const asIdentifier = parseIdentifier(text)
  if (asIdentifier) {
    const found = await findVariantsByIdentifier(db, asIdentifier.steps)
    const matches = identified ? intersect(identified, found) : found
    if (matches.length > 0) return identifiedPage(db, matches, { ...filter, narrowing }, { page, limit })
    if (found.length > 0 || asIdentifier.isCertain) return nothing(toNote(asIdentifier))
  }

  const amongWords = findIdentifierAmongWords(text)
  if (amongWords) {
    const parsed = parseIdentifier(amongWords.identifier)
    const found = parsed ? await findVariantsByIdentifier(db, parsed.steps) : []
    identified = identified ? intersect(identified, found) : found
    if (identified.length === 0) return nothing(toNote(parsed))
  }

  const query = parseSearchQuery(amongWords ? amongWords.rest : text)
  if (text && !query && !amongWords) return nothing(null)
  if (!query && identified) return identifiedPage(db, identified, { ...filter, narrowing }, { page, limit })
  if (!query && !manufacturerId && narrowing)
    return { ...nothing(null), ...(await narrowResults(db, null, narrowing, { page, limit })) }
  if (!query && !manufacturerId) return unfilteredPage(db, category, { page, limit })

  const among = identified && (await documentIds(db, unique(identified.map(({ productId }) => productId))))
  const mayBeNeed = search.byNeed && query !== null && !identified
  let need = mayBeNeed ? await findByNeed(db, text, { filter, mistyped: false }) : null
  const find = async (end: number) => {
    const reach = { filter, among, end, countTo: narrowing ? maxNarrowed : maxResults }
    if (need) return toFoundProducts(need.productIds, end)
    return query
      ? findByWords(db, query, reach)
      : toFoundMatches(await findDocuments(db, [filterMatch(filter)], reach), reach)
  }
  const lastPage = Math.ceil((narrowing ? maxNarrowed : maxResults) / limit)
  let shownPage = Math.min(page, lastPage)
  const end = narrowing && needsAllIds(narrowing) ? maxNarrowed : shownPage * limit
  let found = await find(end)
  // A name that is spelled right takes precedence over a term that is not.
  if (mayBeNeed && !need && (found.total === 0 || found.repairedQuery !== null || found.relaxed)) {
    need = await findByNeed(db, text, { filter, mistyped: true })
    if (need) found = toFoundProducts(need.productIds, end)
  }
  const how = {
    note: found.relaxed ? ('relaxed' as const) : found.repairedQuery === null ? null : ('repaired' as const),
    repairedQuery: found.repairedQuery,
    relaxed: found.relaxed,
    need: need && { term: need.term, classes: need.classes, forChild: need.forChild },
    emergency: null,
  }
  if (narrowing) {
    const narrowed = await narrowResults(db, found, narrowing, { page, limit })
    const products = identified ? withMatches(narrowed.products, identified) : narrowed.products
    return { ...narrowed, ...how, products, totalIsCapped: false }
  }
  const total = Math.min(found.total, maxResults)
  const pageCount = Math.ceil(total / limit)
  if (shownPage > pageCount && pageCount > 0) {
    shownPage = pageCount
    found = await find(shownPage * limit)
  }
  const products = await loadProductCards(
    db,
    found.productIds.slice((shownPage - 1) * limit, shownPage * limit),
  )
  return {
    products: identified ? withMatches(products, identified) : products,
    total,
    totalIsCapped: found.total > maxResults,
    page: shownPage,
    pageCount,
    ...how,
    facets: null,
  }
}

const toNote = (parsed: ParsedIdentifier | null): ProductSearchResult['note'] =>
  parsed?.invalid ? 'bad-check-digit' : null

const unique = (ids: readonly string[]): string[] => [...new Set(ids)]

/** The variants that are in both lists. */
function intersect(
  first: readonly IdentifiedVariant[],
  second: readonly IdentifiedVariant[],
): IdentifiedVariant[] {
  const ids = new Set(second.map(({ variantId }) => variantId))
  return first.filter(({ variantId }) => ids.has(variantId))
}

async function identifiedPage(
  db: Db,
  variants: readonly IdentifiedVariant[],
  {
    category,
    manufacturerId,
    narrowing,
  }: { category: Category | null; manufacturerId: string | null; narrowing: Narrowing | null },
  { page, limit }: { page: number; limit: number },
): Promise<ProductSearchResult> {
  const matching = manufacturerId
    ? variants.filter((variant) => variant.manufacturerId === manufacturerId)
    : variants
  const ids = unique(matching.map(({ productId }) => productId))
  if (narrowing) {
    const narrowed = await narrowResults(db, toFoundProducts(ids, maxNarrowed), narrowing, { page, limit })
    return { ...nothing(null), ...narrowed, products: withMatches(narrowed.products, matching) }
  }
  const loaded = await loadProductCards(db, ids)
  const cards = withMatches(category ? loaded.filter((card) => card.category === category) : loaded, matching)
  const pageCount = Math.ceil(cards.length / limit)
  const shownPage = Math.max(1, Math.min(page, pageCount))
  return {
    ...nothing(null),
    products: cards.slice((shownPage - 1) * limit, shownPage * limit),
    total: cards.length,
    page: shownPage,
    pageCount,
  }
}

/** Adds to each card the first variant that matches the identifier. */
const withMatches = (cards: readonly ProductCard[], variants: readonly IdentifiedVariant[]): ProductCard[] =>
  cards.map((card) => {
    const match = variants.find(({ productId }) => productId === card.id)
    return match
      ? { ...card, matchedVariantId: match.variantId, matchedIdentifier: identifierLabel(match) }
      : card
  })

async function unfilteredPage(
  db: Db,
  category: Category | null,
  { page, limit }: { page: number; limit: number },
): Promise<ProductSearchResult> {
  const total = await countProducts(db, category)
  const pageCount = Math.ceil(total / limit)
  const shownPage = Math.max(1, Math.min(page, pageCount))
  const ids = await listProductIds(db, { category, offset: (shownPage - 1) * limit, limit, total })
  return { ...nothing(null), products: await loadProductCards(db, ids), total, page: shownPage, pageCount }
}
