import type { DosageForm } from '../catalog/catalog.ts'
import { fold } from '../text.ts'
import { withinOneEdit } from './edit-distance.ts'
import { findDosageForms, findRoutes } from './lay-words.ts'

/** A pharmacologic class of the list `ingredient-classes` that a lay term stands for. */
export type NeedClass = {
  system: 'ATC' | 'EPC' | 'PE'
  /** The beginning of an ATC code. Empty in the other systems. */
  code: string
  /** The class's own name; for ATC, a description of ours. */
  name: string
  /** Only products with one of these routes count. Empty for all. */
  routes: readonly string[]
  /** The pharmacist who reviewed that the term stands for the class. */
  reviewer: string | null
}

/**
 * What a row says, as text that names it: "heartburn|ATC|A02B|…|oral". A row that changes needs
 * another review.
 */
export const needRowKey = (term: string, { system, code, name, routes }: NeedClass): string =>
  [term, system, code, name, routes.join(',')].join('|')

/** Lay terms with their classes, and other words for the terms. All folded. */
export type NeedTable = {
  classes: ReadonlyMap<string, readonly NeedClass[]>
  aliases: ReadonlyMap<string, string>
  /** The terms and aliases that are recognized with a typo. */
  mistypable: readonly string[]
}

export type Need = {
  term: string
  classes: readonly NeedClass[]
  /** What the query asks for beside the term: "allergy eye drops". Empty for any. */
  forms: readonly DosageForm[]
  routes: readonly string[]
  /** "Kids fever": only medicines with a label for children answer it. */
  forChild: boolean
}

/** Words that say only that a medicine is wanted. */
const fillers: ReadonlySet<string> = new Set(
  `a an the my some any of for to with against and or i need want buy get best good help helps take using use otc rx over counter
   non nonprescription prescription medicine medicines medication medications meds med drug drugs remedy remedies
   treatment treatments treat treating therapy cure relief reliever relievers product products something anything what for
   generic cheap online pharmacy me my please relieve stop has have had got medecine medecines medcine medicin
   para el la los las un una contra remedio remedios medicina medicinas medicamento medicamentos pastillas jarabe quiero necesito algo
   pour les contre medicament medicaments remede remedes traitement quelque chose`
    .split(/\s+/)
    .filter(Boolean),
)

/** Words that say that a child will take it, folded: "kid's" is "kid s". */
const childPhrases =
  /(?<= |^)(?:(?:child|kid|children|toddler|baby|infant) s|(?:my )?(?:child|children|childrens|kid|kids|toddler|toddlers|baby|babies|babys|infant|infants|son|daughter|pediatric|ninos|nino|nina|ninas|bebe|bebes|enfant|enfants))(?= |$)/g

/** Beside a need, these say where it is, not how the medicine is taken: a mouth ulcer. */
const placesOnly: ReadonlySet<string> = new Set(['mouth', 'tongue'])
const routesOf = (word: string): string[] => (placesOnly.has(word) ? [] : findRoutes(word))

const maxLength = 100
/** Shorter terms are one letter away from too many other words. */
const mistypedFrom = 6

export function makeNeedTable({ classes, aliases }: Omit<NeedTable, 'mistypable'>): NeedTable {
  const names = [...classes.keys(), ...aliases.keys()]
  return { classes, aliases, mistypable: names.filter((name) => name.length >= mistypedFrom) }
}

/**
 * The need that a query names: the whole query is the term or another word for it, beside words
 * like "medicine for", a form and a word for a child. A query with any other word names none: it
 * may say for whom or why, which a table cannot answer.
 * @param mistyped also accepts a term that is one letter off
 */
export function findNeed(text: string, table: NeedTable, { mistyped }: { mistyped: boolean }): Need | null {
  const folded = fold(text.slice(0, maxLength))
  return (
    findIn(folded, table, mistyped) ??
    (folded.search(childPhrases) < 0
      ? null
      : forChildren(findIn(folded.replaceAll(childPhrases, ' '), table, mistyped)))
  )
}

const forChildren = (need: Need | null): Need | null => need && { ...need, forChild: true }

/** The key, and two words in the other order: "fungus toenail". */
function inEitherOrder(key: string): string[] {
  const words = key.split(' ')
  return words.length === 2 ? [key, words.toReversed().join(' ')] : [key]
}

/** The key in the table, also for a plural or singular that the table does not list. */
function findTerm(key: string, { aliases, classes }: NeedTable): string | null {
  const variants = inEitherOrder(key).flatMap((each) =>
    each.length >= mistypedFrom ? [each, `${each}s`, each.replace(/s$/, '')] : [each],
  )
  const known = variants.find((variant) => aliases.has(variant) || classes.has(variant))
  return known === undefined ? null : (aliases.get(known) ?? known)
}

function findIn(folded: string, table: NeedTable, mistyped: boolean): Need | null {
  const words = folded.split(' ').filter(Boolean)
  if (words.length === 0) return null
  const resolve = (key: string): string | null => {
    const known = findTerm(key, table)
    if (known !== null || !mistyped || key.length < mistypedFrom) return known
    const close = table.mistypable.find((name) => withinOneEdit(name, key))
    return close === undefined ? null : (table.aliases.get(close) ?? close)
  }
  const asked = words.filter((word) => !fillers.has(word))
  const unformed = asked.filter((word) => findDosageForms(word).length === 0)
  const rest = unformed.filter((word) => routesOf(word).length === 0)
  const tried = new Set<string>()
  for (const [of, dropsForms] of [
    [words, false],
    [asked, false],
    [unformed, true],
    [rest, true],
  ] as const) {
    const key = of.join(' ')
    if (tried.has(key)) continue
    tried.add(key)
    const term = resolve(key)
    const classes = term === null ? undefined : table.classes.get(term)
    if (term === null || !classes) continue
    const dropped = dropsForms ? asked.filter((word) => !of.includes(word)) : []
    return {
      term,
      classes,
      forms: dropped.flatMap(findDosageForms),
      routes: dropped.flatMap(routesOf),
      forChild: false,
    }
  }
  return null
}

/** Fewer letters begin too many terms. */
const minTermStart = 3

/** The terms that begin with the text, by themselves or by another word for them. */
export function needsStartingWith(text: string, table: NeedTable): string[] {
  const start = fold(text.slice(0, maxLength))
  if (start.length < minTermStart) return []
  const aliases = [...table.aliases].filter(([alias]) => alias.startsWith(start)).map(([, term]) => term)
  return [...new Set([...[...table.classes.keys()].filter((term) => term.startsWith(start)), ...aliases])]
}
