import type { ImportedPackage } from '#db/catalog/catalog-save.ts'
import type { Category } from '#domain/catalog/catalog.ts'
import { toMoiety } from '#domain/catalog/moiety.ts'
import { formatSubstance } from '#domain/catalog/substance-name.ts'
import { fold } from '#domain/text.ts'
import { createHash } from 'node:crypto'
import { buildProductName } from './names.ts'
import type { RouteGroup } from './routes.ts'
import { routeLabel } from './routes.ts'

/** A row of a directory, read. */
export type DirectoryVariant = ImportedPackage & {
  product: DirectoryProduct
  /** The manufacturer's formatted name, and the key shared by its other spellings. */
  manufacturer: { name: string; key: string } | null
  names: DirectoryName[]
}

/** The product: the same for all rows with the same ingredients, route and category. */
export type DirectoryProduct = {
  /** "Rx:oral:sertraline". A long list of ingredients is replaced by its digest. */
  catalogKey: string
  name: string
  /** All ingredients, formatted and joined by "; ". */
  ingredients: string
  category: Category
  /** As shown on pages. Null when unknown. */
  route: string | null
  /** The established pharmacologic class, when the directory has one. */
  drugClass: string | null
}

/** A name that the product can be found by. */
export type DirectoryName = { kind: 'ingredient' | 'brand'; label: string; key: string }

const maxKeyLength = 200
const maxTitleLength = 300
const truncate = (text: string): string =>
  text.length > maxTitleLength ? `${text.slice(0, maxTitleLength - 1)}…` : text

/** The product for a list of base moieties sorted by `compareIngredients`. */
export function toDirectoryProduct(
  moieties: readonly string[],
  category: Category,
  route: RouteGroup,
  drugClass: string | null,
): DirectoryProduct {
  const unique = [...new Set(moieties)]
  const ingredients = unique.toSorted().join('+')
  const id =
    ingredients.length > maxKeyLength
      ? createHash('sha256').update(ingredients).digest('base64url').slice(0, 32)
      : ingredients
  return {
    catalogKey: `${category}:${route}:${id}`,
    name: truncate(buildProductName(unique)),
    ingredients: unique.map(formatSubstance).join('; '),
    category,
    route: routeLabel(route),
    drugClass,
  }
}

const maxNameLength = 160
const maxNames = 60

/**
 * Collects the names, each once as search folds them. Overlong ones are descriptions, not names.
 */
export function directoryNames(
  names: readonly { kind: DirectoryName['kind']; label: string }[],
): DirectoryName[] {
  const found = new Map<string, DirectoryName>()
  for (const { kind, label } of names) {
    if (!label || label.length > maxNameLength) continue
    const key = fold(label)
    if (key && !found.has(kind + key) && found.size < maxNames) found.set(kind + key, { kind, label, key })
  }
  return [...found.values()]
}

/**
 * The names of a substance: "SERTRALINE (SERTRALINE HYDROCHLORIDE)" is two. The base moiety is
 * another.
 */
export function ingredientNames(substance: string): { kind: 'ingredient'; label: string }[] {
  const [, outer = substance, inside = ''] = /^(.+?) ?\((.+)\)$/.exec(substance) ?? []
  const moiety = toMoiety(substance)
  const written = moiety.includes('(') ? [substance] : [outer, inside]
  return [...written, moiety]
    .filter(Boolean)
    .map((label) => ({ kind: 'ingredient', label: formatSubstance(label) }))
}

/** Pairs each ingredient with its amount and sorts them in the usual naming order. */
export function sortedIngredients<A>(
  substances: readonly string[],
  amounts: readonly A[],
  by: (a: string, b: string) => number,
): { substances: string[]; moieties: string[]; amounts: A[] } {
  const all = substances.map((substance, i) => ({
    substance,
    moiety: toMoiety(substance),
    amount: amounts[i],
  }))
  // Water beside another ingredient is the solvent of a powder.
  const active = all.filter((one) => one.moiety !== 'water')
  const paired = active.length > 0 ? active : all
  paired.sort((a, b) => by(a.moiety, b.moiety))
  return {
    substances: paired.map((one) => one.substance),
    moieties: paired.map((one) => one.moiety),
    amounts:
      amounts.length === substances.length
        ? paired.flatMap((one) => (one.amount === undefined ? [] : [one.amount]))
        : [...amounts],
  }
}
