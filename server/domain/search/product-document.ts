import type { Category, DosageForm } from '../catalog/catalog.ts'
import { mark, plainMark } from './match.ts'
import { strengthFormPair, soldTerm } from './search-query.ts'
import {
  findForm,
  nameKey,
  otherSpelling,
  convertedStrengths,
  splitWords,
  type Word,
} from './search-words.ts'

/** What a name refers to: the product itself, an ingredient or a brand. */
export type NameKind = 'product' | 'ingredient' | 'brand'

export type DocumentName = { kind: NameKind; label: string }
export type DocumentVariant = {
  manufacturerId: string | null
  dosageForm: DosageForm | null
  strength: string
  strengthUnit: string
  labelStrength: string | null
  labelForm: string | null
  /** Its brand, its generic name and other names in its directory row. */
  names: readonly string[]
}
export type DocumentSource = {
  name: string
  category: Category
  /** "ophthalmic", "buccal or sublingual". */
  route: string | null
  names: readonly DocumentName[]
  variants: readonly DocumentVariant[]
}

/**
 * For a product with more (some have hundreds of brands and manufacturers) the rest is found by
 * name only.
 */
const maxWords = 20_000

/**
 * All words a name is stored under: its own, a strength's parts, and marked, the form or the word
 * it abbreviates.
 */
export function nameWords(text: string): string[] {
  const stored: string[] = []
  let before: Word | undefined
  for (const word of splitWords(text)) {
    stored.push(word.text)
    if (word.parts.length > 1) stored.push(...word.parts)
    // "2,27 %" may be typed "2 27".
    const [number = ''] = word.parts
    if (word.kind !== 'word' && number.includes('.')) stored.push(...number.split('.'))
    const other = otherSpelling(word.text)
    if (other) stored.push(mark.wholeOnly + other)
    // "B12" is also found as "b 12", and vice versa.
    const split = /^(\p{L}+)(\d+)$/u.exec(word.text)
    if (split) stored.push(split[1] ?? '', split[2] ?? '')
    if (before && (before.kind === 'number') !== (word.kind === 'number'))
      stored.push(mark.wholeOnly + before.text + word.text)
    before = word
  }
  // "Co-trimoxazole" and "children's" are also typed without punctuation.
  for (const [joined] of text.matchAll(
    /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)+/gu,
  )) {
    stored.push(...splitWords(joined.replace(/['’-]/g, '')).map((word) => mark.wholeOnly + word.text))
  }
  return stored
}

/** The words of names that misspellings are corrected to. */
export function spellingWords(source: DocumentSource): Set<string> {
  const words = new Set<string>()
  for (const { label } of [{ label: source.name }, ...source.names]) {
    for (const word of splitWords(label)) if (/^\p{L}{4,}$/u.test(word.text)) words.add(word.text)
  }
  return words
}

/**
 * A cache of the words of short texts: a hundred thousand variants share a few thousand strengths.
 */
export type WordCache = Map<string, string[]>
const cached = (cache: WordCache, text: string, read: (text: string) => string[]): string[] => {
  const known = cache.get(text)
  if (known) return known
  const words = read(text)
  cache.set(text, words)
  return words
}

const strengthWords = (text: string): string[] =>
  splitWords(text).flatMap((word, i, all) => {
    if (word.kind !== 'strength') return [word.text]
    // A cream of 10 mg/g is also searched as 1 %.
    const per = all[i + 1]
    const isShare = word.text.endsWith('mg') && per?.kind === 'word' && /^(g|ml)$/.test(per.text)
    const percent = isShare ? [`${Number((Number(word.parts[0]) / 10).toPrecision(12))}pct`] : []
    return [
      word.text,
      ...word.parts,
      ...percent,
      ...convertedStrengths(word.text).map((text) => mark.converted + text),
    ]
  })

const formWords = (text: string): string[] =>
  splitWords(text).map(({ text }) => mark.wholeOnly + (findForm(text) ?? text))

const unmarked = (word: string): string =>
  word.startsWith(mark.wholeOnly) ? word.slice(mark.wholeOnly.length) : word

/**
 * Terms for the strength and form sold under each word of a name, so that a brand does not match
 * with another brand's strength. A word shared by all, such as the product's own name, is stored
 * once.
 */
function soldWords(
  productName: string,
  sold: readonly { pairs: string[]; names: ReadonlySet<string> }[],
  cache: WordCache,
): string[] {
  const wordsIn = (names: Iterable<string>): Set<string> =>
    new Set(
      [...names].flatMap((name) =>
        cached(cache, `n ${name}`, (text) => nameWords(text.slice(2)).map(unmarked)),
      ),
    )
  const common = wordsIn([productName])
  const kinds = sold.map(({ pairs, names }) => ({ pairs, words: wordsIn(names) }))
  const [first, ...others] = kinds
  for (const word of first?.words ?? []) if (others.every(({ words }) => words.has(word))) common.add(word)
  const stored = new Set<string>()
  for (const word of common) stored.add(soldTerm(null, word))
  for (const { pairs, words } of kinds) {
    for (const word of words) {
      if (common.has(word)) continue
      for (const pair of pairs) stored.add(soldTerm(pair, word))
      if (stored.size > maxWords) return [...stored]
    }
  }
  return [...stored]
}

/**
 * "Sertraline hydrochloride" is another name of Sertraline, and "Losartan potassium and
 * hydrochlorothiazide" of Losartan and hydrochlorothiazide. Losartan is only a part of it.
 */
const isOwnName = (key: string, ownKey: string): boolean =>
  key.includes('_and_') ? ownKey.includes('_and_') : key.startsWith(ownKey)

/** "Buprenorphine and naloxone". Products are named by their ingredients. */
const isCombination = (name: string): boolean => /,| and | with |\//i.test(name)

/** The document of one product: every word it can be found by, each once. */
export function documentWords(
  source: DocumentSource,
  manufacturerNames: ReadonlyMap<string, string>,
  cache: WordCache = new Map(),
): string[] {
  const words = new Set<string>()
  const ownKey = nameKey(source.name)
  const manufacturerIds = new Set<string>()
  const add = (list: readonly string[]): void => list.forEach((word) => words.add(word))

  words.add(mark.product + ownKey)
  add(nameWords(source.name))
  words.add(mark.category + source.category.toLowerCase())
  if (!isCombination(source.name)) words.add(mark.category + plainMark)
  for (const { text } of splitWords(source.route ?? '')) words.add(mark.wholeOnly + text)
  for (const { kind, label } of source.names) {
    const key = nameKey(label)
    const isOwn = kind === 'product' || (kind === 'ingredient' && isOwnName(key, ownKey))
    words.add((isOwn ? mark.product : kind === 'brand' ? mark.brand : mark.ingredient) + key)
    add(nameWords(label))
  }
  const sold = new Map<string, { pairs: string[]; names: Set<string> }>()
  for (const variant of source.variants) {
    if (variant.manufacturerId) manufacturerIds.add(variant.manufacturerId)
    const strengthText = `${variant.strength} ${variant.strengthUnit}; ${variant.labelStrength ?? ''}`
    const formText = `${variant.dosageForm ?? ''} ${variant.labelForm ?? ''}`
    let kind = sold.get(`${strengthText};${formText}`)
    if (!kind) {
      const strengths = cached(cache, `s ${strengthText}`, strengthWords)
      const forms = cached(cache, `f ${formText}`, (text) => formWords(text.slice(2)))
      add(strengths)
      add(forms)
      // Use the label's own form, not the wider one it is grouped under, so that a powder is an
      // "injection" only when nothing else is.
      const labeledForms = variant.labelForm
        ? cached(cache, `f  ${variant.labelForm}`, (text) => formWords(text.slice(2)))
        : forms
      const sizes = strengths.filter((size) => /^\d.*[a-z]$/.test(size))
      kind = {
        pairs: sizes.flatMap((size) => labeledForms.map((form) => strengthFormPair(size, unmarked(form)))),
        names: new Set(),
      }
      add(kind.pairs)
      sold.set(`${strengthText};${formText}`, kind)
    }
    for (const name of variant.names) kind.names.add(name)
  }
  add(soldWords(source.name, [...sold.values()], cache))
  for (const id of manufacturerIds) {
    words.add(mark.manufacturerId + id.replaceAll('-', ''))
    for (const word of splitWords(manufacturerNames.get(id) ?? '')) words.add(mark.manufacturer + word.text)
  }
  words.delete('')
  return [...words]
}
