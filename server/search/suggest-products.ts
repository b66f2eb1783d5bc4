import type { Db } from '#db/engine/client.ts'
import { findDocuments } from '#db/search/find-documents.ts'
import { findVariantsByIdentifier } from '#db/search/find-identifiers.ts'
import { findNamesStartingWith, findProductLabels, type ProductLabel } from '#db/search/find-names.ts'
import { hasClasses } from '#db/search/has-classes.ts'
import { productKind } from '#domain/catalog/catalog.ts'
import { findEmergency } from '#domain/search/emergency-terms.ts'
import { nameTiers } from '#domain/search/search-tiers.ts'
import {
  findIdentifierAmongWords,
  identifierLabel,
  parseIdentifier,
  type IdentifierLookup,
} from '#domain/catalog/identifiers.ts'
import { paths } from '#domain/paths.ts'
import { maxQueryLength, parseSearchQuery, type SearchQuery } from '#domain/search/search-query.ts'
import { needsStartingWith } from '#domain/search/needs.ts'
import { fold } from '#domain/text.ts'
import type { Context } from '#server/context.ts'
import { findByWords } from './find-by-words.ts'
import { applyReviews } from './need-reviews.ts'
import { needTable } from './need-table.ts'

/** The headings of the list. */
const suggestionGroups = {
  product: 'Medicines',
  brand: 'Brands',
  class: 'Classes',
  identifier: 'NDC, DIN and UPC',
} as const

export type Suggestion = {
  group: (typeof suggestionGroups)[keyof typeof suggestionGroups]
  label: string
  /** Tells it apart from others with its label. */
  hint: string
  href: string
}

const maxSuggestions = 8
/** The most of one kind while the other has some too. */
const maxPerKind = 5
/** The most lay terms, after all others. */
const maxClasses = 2
/** Several products share a name, so more products are read than suggestions shown. */
const maxProducts = 24
/** Of a longer text only these are read, so that every keystroke is cheap. */
const maxTypedWords = 4
const noFilter = { category: null, manufacturerId: null }

/**
 * Suggestions while the user types: identifiers, else products and brands with a name that starts
 * with the text, and lay terms that do; else search results.
 */
export async function suggestProducts(
  { reads: db }: Pick<Context, 'reads'>,
  typed: string,
): Promise<Suggestion[]> {
  const text = typed.slice(0, maxQueryLength).trim()
  const query = parseSearchQuery(text.split(/\s+/).slice(0, maxTypedWords).join(' '))
  // The page that answers it has the help to call.
  if (!query || findEmergency(typed)) return []
  const identified = await suggestIdentified(db, text)
  if (identified.length > 0) return identified
  // The page finds what has both.
  if (findIdentifierAmongWords(text)) return []
  const classes = await suggestClasses(db, text)
  const found = await findDocuments(db, nameTiers(query.key), {
    end: maxProducts,
    among: null,
    countTo: 0,
  })
  const named = await suggestNames(db, found.productIds, fold(text))
  if (named.length > 0) return [...named.slice(0, maxSuggestions - classes.length), ...classes]
  // A lay term is no misspelled name.
  return classes.length > 0 ? classes : suggestFound(db, query)
}

/** The first search results. */
async function suggestFound(db: Db, query: SearchQuery): Promise<Suggestion[]> {
  const { productIds } = await findByWords(db, query, {
    filter: noFilter,
    among: null,
    end: maxSuggestions,
    countTo: maxProducts,
  })
  const shown = productIds.slice(0, maxSuggestions)
  const labels = await findProductLabels(db, shown)
  return shown.flatMap((id) => {
    const label = labels.get(id)
    return label ? [suggestProduct(id, label)] : []
  })
}

/** Lay terms that start with the text ("heartburn"), which find the medicines of their classes. */
async function suggestClasses(db: Db, text: string): Promise<Suggestion[]> {
  const terms = needsStartingWith(text, needTable).slice(0, maxClasses)
  if (terms.length === 0 || !(await hasClasses(db))) return []
  const answered = await Promise.all(
    terms.map(async (term) => ({
      term,
      classes: await applyReviews(db, term, needTable.classes.get(term) ?? []),
    })),
  )
  return answered.flatMap(({ term, classes: [first, ...others] }) => {
    if (!first) return []
    return {
      group: suggestionGroups.class,
      label: term.charAt(0).toUpperCase() + term.slice(1),
      hint: `${first.name}${others.length > 0 ? ` and ${others.length} more` : ''}`,
      href: paths.productSearch({ q: term }),
    }
  })
}

const suggestProduct = (id: string, label: ProductLabel): Suggestion => ({
  group: suggestionGroups.product,
  label: label.name,
  hint: productKind(label),
  href: paths.product(id),
})

/**
 * The products whose own name starts with the text or that have such an ingredient, then those with
 * such a brand. Brands come first when no product's own name does.
 */
async function suggestNames(db: Db, productIds: readonly string[], start: string): Promise<Suggestion[]> {
  const [names, labels] = await Promise.all([
    findNamesStartingWith(db, productIds, start),
    findProductLabels(db, productIds),
  ])
  const products: Suggestion[] = []
  const withIngredient: Suggestion[] = []
  const brands: Suggestion[] = []
  for (const id of productIds) {
    const label = labels.get(id)
    const own = names.filter(({ productId }) => productId === id)
    const [brand] = own
      .filter(({ kind }) => kind === 'brand')
      .toSorted((a, b) => a.label.length - b.label.length)
    if (!label || own.length === 0) continue
    if (own.some(({ kind }) => kind === 'product')) products.push(suggestProduct(id, label))
    else if (brand)
      brands.push({
        group: suggestionGroups.brand,
        label: brand.label,
        hint: `${label.name} · ${productKind(label)}`,
        href: paths.product(id),
      })
    else withIngredient.push(suggestProduct(id, label))
  }
  const first = products.length > 0 ? [...products, ...withIngredient] : brands
  const second = products.length > 0 ? brands : withIngredient
  const shown = first.slice(0, Math.max(maxPerKind, maxSuggestions - second.length))
  return [...shown, ...second.slice(0, maxSuggestions - shown.length)]
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
  const labels = await findProductLabels(
    db,
    shown.map(({ productId }) => productId),
  )
  return shown.flatMap((variant) => {
    const label = labels.get(variant.productId)
    if (!label) return []
    return [
      {
        group: suggestionGroups.identifier,
        label: identifierLabel(variant),
        hint: `${label.name} · ${productKind(label)}`,
        href: paths.product(variant.productId, { variant: variant.variantId }),
      },
    ]
  })
}
