import type { Db } from '#db/engine/client.ts'
import { findDocuments } from '#db/search/find-documents.ts'
import { findVariantsByIdentifier, identifierLabel } from '#db/search/find-identifiers.ts'
import { findNamesStartingWith, findProductNames, type ProductName } from '#db/search/find-names.ts'
import { nameTiers } from '#db/search/search-tiers.ts'
import { parseIdentifier, type IdentifierLookup } from '#domain/catalog/identifiers.ts'
import { longestQuery, parseSearchQuery } from '#domain/search/search-query.ts'
import { fold } from '#domain/text.ts'
import type { Context } from '#server/context.ts'
import { findByWords } from './find-by-words.ts'

export type Suggestion = { label: string; productId: string; kind: ProductName['kind'] | 'identifier' }

const mostSuggestions = 8
/** Several products share a name, so more are looked at than shown. */
const productsLookedAt = 24
const anyProduct = { category: null, manufacturerId: null }

/** What the box suggests while one types: names and brands that begin so, identifiers, else what search would find. */
export async function suggestProducts({ db }: Pick<Context, 'db'>, typed: string): Promise<Suggestion[]> {
  const text = typed.slice(0, longestQuery).trim()
  const query = parseSearchQuery(text)
  if (!query) return []
  const identified = await suggestIdentified(db, text)
  if (identified.length > 0) return identified
  const found = await findDocuments(db, nameTiers(query.key), {
    end: productsLookedAt,
    among: null,
    countTo: 0,
  })
  const named = await suggestNames(db, found.productIds, fold(text))
  if (named.length > 0) return named
  const searched = await findByWords(db, query, {
    filter: anyProduct,
    among: null,
    end: productsLookedAt,
    countTo: productsLookedAt,
  })
  const names = await findProductNames(db, searched.productIds)
  return firstOfEach(
    searched.productIds.flatMap((productId) => {
      const label = names.get(productId)
      return label === undefined ? [] : [{ label, productId, kind: 'product' as const }]
    }),
  )
}

/** The name by which each product begins so: its own, else a brand's, else an ingredient's. */
async function suggestNames(db: Db, productIds: readonly string[], start: string): Promise<Suggestion[]> {
  const names = await findNamesStartingWith(db, productIds, start)
  const best = new Map<string, ProductName>()
  const rank = { product: 0, brand: 1, ingredient: 2 } satisfies Record<ProductName['kind'], number>
  for (const name of names) {
    const known = best.get(name.productId)
    if (!known || rank[name.kind] < rank[known.kind]) best.set(name.productId, name)
  }
  return firstOfEach(productIds.flatMap((id) => best.get(id) ?? []))
}

/** Codes that begin so, once enough is typed to be no strength. */
async function suggestIdentified(db: Db, text: string): Promise<Suggestion[]> {
  const parsed = parseIdentifier(text)
  const begun: IdentifierLookup[] = /^\d[\d-]{3,13}$/.test(text)
    ? (['ndc', 'ndc-11', 'din'] as const).map((kind) => ({ kind, value: text, prefix: true }))
    : []
  if (!parsed && begun.length === 0) return []
  const variants = await findVariantsByIdentifier(db, [...(parsed?.steps ?? []), begun], mostSuggestions)
  const shown = variants.slice(0, mostSuggestions)
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

function firstOfEach(suggestions: readonly Suggestion[]): Suggestion[] {
  const byLabel = new Map<string, Suggestion>()
  for (const suggestion of suggestions) {
    const key = fold(suggestion.label)
    if (!byLabel.has(key)) byLabel.set(key, { ...suggestion })
    if (byLabel.size === mostSuggestions) break
  }
  return [...byLabel.values()]
}
