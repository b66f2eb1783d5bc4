import type { Db } from '#db/engine/client.ts'
import { loadProductCards } from '#db/catalog/products.ts'
import { documentIds } from '#db/search/document-ids.ts'
import { findDocuments } from '#db/search/find-documents.ts'
import { findIdentified, identifierLabel, type IdentifiedVariant } from '#db/search/find-identifiers.ts'
import { countListed, listPage } from '#db/search/list-page.ts'
import { filterMatch } from '#db/search/search-tiers.ts'
import { categories, type Category, type ProductCard } from '#domain/catalog/catalog.ts'
import { parseIdentifier, type ParsedIdentifier } from '#domain/catalog/identifiers.ts'
import { isId } from '#domain/ids.ts'
import { parseSearchQuery } from '#domain/search/search-query.ts'
import type { Context } from '#server/context.ts'
import { findByWords } from './find-by-words.ts'

/** All as a URL gives them; what is empty is as if it were not there. */
export type ProductSearch = {
  q?: string | undefined
  manufacturerId?: string | undefined
  ndc?: string | undefined
  din?: string | undefined
  upc?: string | undefined
  category?: string | undefined
  /** From 1; a page beyond the last is the last. */
  page?: number | undefined
  /** 1 to 100. */
  limit?: number | undefined
}

export type ProductSearchResult = {
  products: ProductCard[]
  total: number
  /** There are more than `total`; nobody pages through them. */
  totalIsCapped: boolean
  page: number
  pageCount: number
  /** Why nothing was found, or that another query was answered. */
  note: 'bad-check-digit' | 'repaired' | null
  repairedQuery: string | null
}

const pageSize = 24
const mostPerPage = 100
/** Results are counted and paged to here; past it a search is narrowed, not paged. */
const mostResults = 1000

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
})

const identifierFields = ['ndc', 'din', 'upc'] as const

/**
 * Finds products, the nearest first; without terms the whole list in its order. An identifier in any written form wins outright.
 * Never throws for what was asked: what cannot be understood finds nothing.
 */
export async function searchProducts(
  ctx: Pick<Context, 'db'>,
  search: ProductSearch,
): Promise<ProductSearchResult> {
  const { db } = ctx
  const limit = bounded(search.limit, pageSize, 1, mostPerPage)
  const page = bounded(search.page, 1, 1, Number.MAX_SAFE_INTEGER)
  const text = search.q?.trim() ?? ''
  const manufacturerId = search.manufacturerId?.trim() || null
  const category = categories.find((known) => known === search.category?.trim()) ?? null
  if (search.category?.trim() && !category) return nothing(null)
  if (manufacturerId && !isId(manufacturerId)) return nothing(null)
  const filter = { category, manufacturerId }

  let identified: IdentifiedVariant[] | null = null
  for (const field of identifierFields) {
    const written = search[field]?.trim()
    if (!written) continue
    const parsed = parseIdentifier(written, field)
    const found = parsed ? await findIdentified(db, parsed.steps) : []
    identified = identified ? both(identified, found) : found
    if (identified.length === 0) return nothing(noteOf(parsed))
  }

  const asIdentifier = parseIdentifier(text)
  if (asIdentifier) {
    const found = await findIdentified(db, asIdentifier.steps)
    const hits = identified ? both(identified, found) : found
    if (hits.length > 0) return identifiedPage(db, hits, filter, { page, limit })
    if (found.length > 0 || asIdentifier.certain) return nothing(noteOf(asIdentifier))
  }

  const query = parseSearchQuery(text)
  if (text && !query) return nothing(null)
  if (!query && identified) return identifiedPage(db, identified, filter, { page, limit })
  if (!query && !manufacturerId) return listedPage(db, category, { page, limit })

  const among = identified && (await documentIds(db, unique(identified.map(({ productId }) => productId))))
  const find = async (end: number) => {
    const reach = { filter, among, end, countTo: mostResults }
    return query
      ? findByWords(db, query, reach)
      : { ...(await findDocuments(db, [filterMatch(filter)], reach)), repairedQuery: null }
  }
  const lastPage = Math.ceil(mostResults / limit)
  let asked = Math.min(page, lastPage)
  let found = await find(asked * limit)
  const total = Math.min(found.total, mostResults)
  const pageCount = Math.ceil(total / limit)
  if (asked > pageCount && pageCount > 0) {
    asked = pageCount
    found = await find(asked * limit)
  }
  const products = await loadProductCards(db, found.productIds.slice((asked - 1) * limit, asked * limit))
  return {
    products: identified ? withMatches(products, identified) : products,
    total,
    totalIsCapped: found.total > mostResults,
    page: asked,
    pageCount,
    note: found.repairedQuery === null ? null : 'repaired',
    repairedQuery: found.repairedQuery,
  }
}

const noteOf = (parsed: ParsedIdentifier | null): ProductSearchResult['note'] =>
  parsed?.invalid ? 'bad-check-digit' : null

const unique = (ids: readonly string[]): string[] => [...new Set(ids)]

/** The variants of the first list that the second names too. */
function both(
  first: readonly IdentifiedVariant[],
  second: readonly IdentifiedVariant[],
): IdentifiedVariant[] {
  const ids = new Set(second.map(({ variantId }) => variantId))
  return first.filter(({ variantId }) => ids.has(variantId))
}

async function identifiedPage(
  db: Db,
  variants: readonly IdentifiedVariant[],
  { category, manufacturerId }: { category: Category | null; manufacturerId: string | null },
  { page, limit }: { page: number; limit: number },
): Promise<ProductSearchResult> {
  const fitting = manufacturerId
    ? variants.filter((variant) => variant.manufacturerId === manufacturerId)
    : variants
  const loaded = await loadProductCards(db, unique(fitting.map(({ productId }) => productId)))
  const cards = withMatches(category ? loaded.filter((card) => card.category === category) : loaded, fitting)
  const pageCount = Math.ceil(cards.length / limit)
  const asked = Math.max(1, Math.min(page, pageCount))
  return {
    ...nothing(null),
    products: cards.slice((asked - 1) * limit, asked * limit),
    total: cards.length,
    page: asked,
    pageCount,
  }
}

/** The cards with the first of their variants that the identifier names. */
const withMatches = (cards: readonly ProductCard[], variants: readonly IdentifiedVariant[]): ProductCard[] =>
  cards.map((card) => {
    const match = variants.find(({ productId }) => productId === card.id)
    return match
      ? { ...card, matchedVariantId: match.variantId, matchedIdentifier: identifierLabel(match) }
      : card
  })

async function listedPage(
  db: Db,
  category: Category | null,
  { page, limit }: { page: number; limit: number },
): Promise<ProductSearchResult> {
  const total = await countListed(db, category)
  const pageCount = Math.ceil(total / limit)
  const asked = Math.max(1, Math.min(page, pageCount))
  const ids = await listPage(db, { category, offset: (asked - 1) * limit, limit, total })
  return { ...nothing(null), products: await loadProductCards(db, ids), total, page: asked, pageCount }
}
