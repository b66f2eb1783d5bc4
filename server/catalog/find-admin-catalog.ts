import type { Db } from '#db/engine/client.ts'
import { findManufacturers } from '#db/catalog/manufacturers.ts'
import { findVariantsByIdentifier } from '#db/search/find-identifiers.ts'
import { countVariants, findVariantsByWords } from '#db/search/find-variants.ts'
import { findVariantIdsBySku, findProductIdsOf, findProductIdsOfManufacturers } from '#db/catalog/variants.ts'
import { parseIdentifier, type IdentifierLookup } from '#domain/catalog/identifiers.ts'
import { parseSearchQuery } from '#domain/search/search-query.ts'
import type { SearchNote } from '#domain/catalog/variant-grid.ts'
import { findByWords } from '../search/find-by-words.ts'

/** Bounds of what a search looks at, so that it answers while one types; past them it is narrowed. */
const mostProducts = 1000
const mostVariants = 3000
const mostMakers = 20
const shortestMaker = 3

/** Null when nothing was asked for. */
type Found = { ids: readonly string[] | null; note: SearchNote | null }

/**
 * The variants that the desk's search finds: an identifier in any written form and a SKU name theirs; words name products, brands and
 * makers as they do in the shop. Never throws for what was typed.
 */
export async function findAdminVariants(db: Db, q: string): Promise<Found> {
  const found = await findForDesk(db, q)
  if (!found) return { ids: null, note: null }
  if ('variantIds' in found) return { ids: found.variantIds, note: found.note }
  const { manufacturerIds, words } = found
  const productIds = await nearest(db, found.productIds)
  const sought = { productIds, manufacturerIds, limit: mostVariants }
  const told = await findVariantsByWords(db, { ...sought, words })
  // Another name of a medicine stands in no row of it: then all variants of the products are meant.
  const ids = told.length > 0 ? told : await findVariantsByWords(db, { ...sought, words: [] })
  const isCut = productIds.length < found.productIds.length
  return { ids, note: found.note ?? (isCut ? { kind: 'capped' } : null) }
}

/** The products that the same search finds. */
export async function findAdminProducts(db: Db, q: string): Promise<Found> {
  const found = await findForDesk(db, q)
  if (!found) return { ids: null, note: null }
  if ('variantIds' in found) return { ids: await findProductIdsOf(db, found.variantIds), note: found.note }
  const ofMakers = await findProductIdsOfManufacturers(db, found.manufacturerIds)
  return { ids: [...new Set([...found.productIds, ...ofMakers])], note: found.note }
}

type Reading = { note: SearchNote | null } & (
  | { variantIds: readonly string[] }
  | { productIds: readonly string[]; manufacturerIds: readonly string[]; words: readonly string[] }
)

async function findForDesk(db: Db, q: string): Promise<Reading | null> {
  const text = q.trim()
  if (text === '') return null
  const identifier = parseIdentifier(text)
  const [identified, bySku] = await Promise.all([
    identifier ? findVariantsByIdentifier(db, [...identifier.steps, asItStands(text)]) : [],
    findVariantIdsBySku(db, text),
  ])
  const variantIds = [...new Set([...identified.map(({ variantId }) => variantId), ...bySku])]
  if (variantIds.length > 0) return { variantIds, note: null }
  if (identifier?.certain) {
    return { variantIds: [], note: identifier.invalid ? { kind: 'bad-check-digit' } : null }
  }
  return findWords(db, text)
}

/** The desk stores what stands on a package; so a code whose check digit is wrong is found as it was stored. */
const asItStands = (text: string): IdentifierLookup[] => {
  const digits = text.replace(/[\s-]/g, '')
  return /^\d{6,14}$/.test(digits) ? [{ kind: 'upc', value: digits, prefix: false }] : []
}

async function findWords(db: Db, text: string): Promise<Reading> {
  const query = parseSearchQuery(text)
  if (!query) return { variantIds: [], note: null }
  const filter = { category: null, manufacturerId: null }
  const [{ productIds, repairedQuery, total }, makers] = await Promise.all([
    findByWords(db, query, { filter, among: null, end: mostProducts, countTo: mostProducts }),
    text.length < shortestMaker ? [] : findManufacturers(db, text, mostMakers),
  ])
  return {
    productIds,
    manufacturerIds: makers.map(({ id }) => id),
    words: (repairedQuery ?? text)
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
    note:
      repairedQuery !== null
        ? { kind: 'repaired', query: repairedQuery }
        : total > mostProducts
          ? { kind: 'capped' }
          : null,
  }
}

/** The nearest of them, as long as they have no more variants than are looked at. */
async function nearest(db: Db, productIds: readonly string[]): Promise<string[]> {
  const counts = await countVariants(db, productIds)
  let variants = 0
  const end = productIds.findIndex((id) => (variants += counts.get(id) ?? 0) > mostVariants)
  return productIds.slice(0, end === -1 ? undefined : Math.max(end, 1))
}
