import type { Category, DosageForm } from '#domain/catalog/catalog.ts'
import { fold } from '#domain/text.ts'
import { createHash } from 'node:crypto'
import { productNameOf, readable } from './names.ts'
import { moietyOf } from './moiety.ts'
import type { RouteGroup } from './routes.ts'
import { routeLabel } from './routes.ts'

/** A row of a directory as the catalogue holds it: one package (US) or one DIN (Canada). */
export type DirectoryVariant = {
  /** "ndc:0228-2899-96", "din:02399806" or "upc:304690125990". */
  catalogKey: string
  medicine: Medicine
  /** Null means generic. */
  brandName: string | null
  genericName: string
  /** The maker's name as one writes it, and what makes it one with its other spellings. */
  maker: { name: string; key: string } | null
  dosageForm: DosageForm | null
  strength: string
  strengthUnit: string
  packageSize: number
  packageUnit: string
  ndc: string | null
  din: string | null
  upc: string | null
  labelStrength: string | null
  labelForm: string | null
  labelPack: string | null
  /** The schedule this row is under, in the directory's words or by its ingredients; null when none. */
  controlledSchedule: string | null
  names: DirectoryName[]
}

/** What the product is: the same for all rows of the same ingredients, route and category. */
export type Medicine = {
  /** "Rx:oral:sertraline"; a digest stands for a long list of ingredients. */
  catalogKey: string
  name: string
  /** All ingredients as one reads them, "; " between. */
  ingredients: string
  category: Category
  /** As a page says it; null when unknown. */
  route: string | null
  /** The established pharmacologic class, when the directory has one. */
  drugClass: string | null
}

/** A name under which the medicine is asked for. */
export type DirectoryName = { kind: 'ingredient' | 'brand'; label: string; key: string }

const longestKey = 200
const longestTitle = 300
const shortened = (text: string): string =>
  text.length > longestTitle ? `${text.slice(0, longestTitle - 1)}…` : text

/** The medicine of some base moieties, already sorted by `byIngredient`. */
export function medicineOf(
  moieties: readonly string[],
  category: Category,
  route: RouteGroup,
  drugClass: string | null,
): Medicine {
  const different = [...new Set(moieties)]
  const ingredients = different.toSorted().join('+')
  const id =
    ingredients.length > longestKey
      ? createHash('sha256').update(ingredients).digest('base64url').slice(0, 32)
      : ingredients
  return {
    catalogKey: `${category}:${route}:${id}`,
    name: shortened(productNameOf(different)),
    ingredients: different.map(readable).join('; '),
    category,
    route: routeLabel(route),
    drugClass,
  }
}

const longestName = 160
const mostNames = 60

/** Collects names once each by what search sees of them; overlong ones are descriptions, not names. */
export function directoryNames(
  names: readonly { kind: DirectoryName['kind']; label: string }[],
): DirectoryName[] {
  const found = new Map<string, DirectoryName>()
  for (const { kind, label } of names) {
    if (!label || label.length > longestName) continue
    const key = fold(label)
    if (key && !found.has(kind + key) && found.size < mostNames) found.set(kind + key, { kind, label, key })
  }
  return [...found.values()]
}

/** The names of a substance: "SERTRALINE (SERTRALINE HYDROCHLORIDE)" is two; the base moiety is one more. */
export function ingredientNames(substance: string): { kind: 'ingredient'; label: string }[] {
  const [, outer = substance, inside = ''] = /^(.+?) ?\((.+)\)$/.exec(substance) ?? []
  const moiety = moietyOf(substance)
  const written = moiety.includes('(') ? [substance] : [outer, inside]
  return [...written, moiety].filter(Boolean).map((label) => ({ kind: 'ingredient', label: readable(label) }))
}

/** Pairs each ingredient with its amount and puts them in the order one says them. */
export function sortedIngredients<A>(
  substances: readonly string[],
  amounts: readonly A[],
  by: (a: string, b: string) => number,
): { substances: string[]; moieties: string[]; amounts: A[] } {
  const all = substances.map((substance, i) => ({
    substance,
    moiety: moietyOf(substance),
    amount: amounts[i],
  }))
  // Water beside another ingredient is what a powder is dissolved in.
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
