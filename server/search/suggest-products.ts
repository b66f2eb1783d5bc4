import type { Db } from '#db/engine/client.ts'
import { findDocuments } from '#db/search/find-documents.ts'
import { findVariantsByIdentifier } from '#db/search/find-identifiers.ts'
import { findNamesStartingWith, findProductNames, type ProductName } from '#db/search/find-names.ts'
import { findEmergency } from '#domain/search/emergency-terms.ts'
import { nameTiers } from '#domain/search/search-tiers.ts'
import { identifierLabel, parseIdentifier, type IdentifierLookup } from '#domain/catalog/identifiers.ts'
import { maxQueryLength, parseSearchQuery } from '#domain/search/search-query.ts'
import { fold } from '#domain/text.ts'
import type { Context } from '#server/context.ts'
import { findByWords } from './find-by-words.ts'

export type Suggestion = { label: string; productId: string; kind: ProductName['kind'] | 'identifier' }

const maxSuggestions = 8
/** Several products share a name, so more products are read than suggestions shown. */
const maxProducts = 24
const noFilter = { category: null, manufacturerId: null }

/**
 * Suggestions while the user types: names and brands that start with the text, identifiers, else
 * search results.
 */
export async function suggestProducts({ db }: Pick<Context, 'db'>, typed: string): Promise<Suggestion[]> {
  const text = typed.slice(0, maxQueryLength).trim()
  const query = parseSearchQuery(text)
  // The page that answers it has the help to call.
  if (!query || findEmergency(text)) return []
  const identified = await suggestIdentified(db, text)
  if (identified.length > 0) return identified
  const found = await findDocuments(db, nameTiers(query.key), {
    end: maxProducts,
    among: null,
    countTo: 0,
  })
  const named = await suggestNames(db, found.productIds, fold(text))
  if (named.length > 0) return named
  const searched = await findByWords(db, query, {
    filter: noFilter,
    among: null,
    end: maxProducts,
    countTo: maxProducts,
  })
  const names = await findProductNames(db, searched.productIds)
  return dedupeByLabel(
    searched.productIds.flatMap((productId) => {
      const label = names.get(productId)
      return label === undefined ? [] : [{ label, productId, kind: 'product' as const }]
    }),
  )
}

/**
 * The name of each product that starts with the text: its own, else a brand's, else an
 * ingredient's.
 */
async function suggestNames(db: Db, productIds: readonly string[], start: string): Promise<Suggestion[]> {
  const names = await findNamesStartingWith(db, productIds, start)
  const best = new Map<string, ProductName>()
  const rank = { product: 0, brand: 1, ingredient: 2 } satisfies Record<ProductName['kind'], number>
  for (const name of names) {
    const known = best.get(name.productId)
    if (!known || rank[name.kind] < rank[known.kind]) best.set(name.productId, name)
  }
  return dedupeByLabel(productIds.flatMap((id) => best.get(id) ?? []))
}

/** Identifiers that start with the text, once it is too long for a strength. */
async function suggestIdentified(db: Db, text: string): Promise<Suggestion[]> {
  const parsed = parseIdentifier(text)
  const prefixLookups: IdentifierLookup[] = /^\d[\d-]{3,13}$/.test(text)
    ? (['ndc', 'ndc-11', 'din'] as const).map((kind) => ({ kind, value: text, prefix: true }))
    : []
  if (!parsed && prefixLookups.length === 0) return []
  const variants = await findVariantsByIdentifier(
    db,
    [...(parsed?.steps ?? []), prefixLookups],
    maxSuggestions,
  )
  const shown = variants.slice(0, maxSuggestions)
  const names = await findProductNames(
    db,
    shown.map(({ productId }) => productId),
  )
  return shown.flatMap((variant) => {
    const name = names.get(variant.productId)
    if (name === undefined) return []
    return [
      {
        label: `${identifierLabel(variant)}, ${name}`,
        productId: variant.productId,
        kind: 'identifier' as const,
      },
    ]
  })
}

function dedupeByLabel(suggestions: readonly Suggestion[]): Suggestion[] {
  const byLabel = new Map<string, Suggestion>()
  for (const suggestion of suggestions) {
    const key = fold(suggestion.label)
    if (!byLabel.has(key)) byLabel.set(key, { ...suggestion })
    if (byLabel.size === maxSuggestions) break
  }
  return [...byLabel.values()]
}
