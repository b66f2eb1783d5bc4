import type { Category, DosageForm } from '#domain/catalog/catalog.ts'
import { pairOf, saidOf } from '#domain/search/search-query.ts'
import {
  formOf,
  nameKey,
  otherSpelling,
  convertedStrengths,
  wordsOf,
  type Word,
} from '#domain/search/search-words.ts'
import type { Schema } from '../schema/schema.ts'
import { mark } from './match.ts'

export type DocumentName = { kind: Schema['productNames']['kind']; label: string }
export type DocumentVariant = {
  manufacturerId: string | null
  dosageForm: DosageForm | null
  strength: string
  strengthUnit: string
  labelStrength: string | null
  labelForm: string | null
  /** Its brand, its generic name and what else its row calls it. */
  names: readonly string[]
}
export type DocumentSource = {
  name: string
  category: Category
  names: readonly DocumentName[]
  variants: readonly DocumentVariant[]
}

/** Of a medicine sold under more (some have hundreds of brands and makers) the rest is found by name only. */
const mostWords = 20_000

/** All the words that a name is stored under: its own, a strength's parts, and aside the form or the word it abbreviates. */
export function nameWords(text: string): string[] {
  const stored: string[] = []
  let before: Word | undefined
  for (const word of wordsOf(text)) {
    stored.push(word.text)
    if (word.parts.length > 1) stored.push(...word.parts)
    // "2,27 %" may be typed "2 27".
    const [number = ''] = word.parts
    if (word.kind !== 'word' && number.includes('.')) stored.push(...number.split('.'))
    const other = otherSpelling(word.text)
    if (other) stored.push(mark.aside + other)
    // "B12" is also found as "b 12", and the other way about.
    const split = /^(\p{L}+)(\d+)$/u.exec(word.text)
    if (split) stored.push(split[1] ?? '', split[2] ?? '')
    if (before && (before.kind === 'number') !== (word.kind === 'number'))
      stored.push(mark.aside + before.text + word.text)
    before = word
  }
  // "Co-trimoxazole" and "children's" are also typed without what parts them.
  for (const [joined] of text.matchAll(/[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)+/gu)) {
    stored.push(...wordsOf(joined.replace(/['’-]/g, '')).map((word) => mark.aside + word.text))
  }
  return stored
}

/** The words of names that typing mistakes are repaired to. */
export function spellingWords(source: DocumentSource): Set<string> {
  const words = new Set<string>()
  for (const { label } of [{ label: source.name }, ...source.names]) {
    for (const word of wordsOf(label)) if (/^\p{L}{4,}$/u.test(word.text)) words.add(word.text)
  }
  return words
}

/** Memory of what a short text is stored under: a hundred thousand variants share a few thousand strengths. */
export type WordMemory = Map<string, string[]>
const remember = (memory: WordMemory, text: string, read: (text: string) => string[]): string[] => {
  const known = memory.get(text)
  if (known) return known
  const words = read(text)
  memory.set(text, words)
  return words
}

const strengthWords = (text: string): string[] =>
  wordsOf(text).flatMap((word, i, all) => {
    if (word.kind !== 'strength') return [word.text]
    // A cream of 10 mg/g is asked for as 1 %.
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
  wordsOf(text).map(({ text }) => mark.aside + (formOf(text) ?? text))

const unmarked = (word: string): string =>
  word.startsWith(mark.aside) ? word.slice(mark.aside.length) : word

/**
 * Which strength and form is sold under which word of a name, so that a brand with another brand's strength is not found. A word
 * by which all are sold, as the product's own name, is stored once.
 */
function soldWords(
  productName: string,
  sold: readonly { pairs: string[]; names: ReadonlySet<string> }[],
  memory: WordMemory,
): string[] {
  const wordsIn = (names: Iterable<string>): Set<string> =>
    new Set(
      [...names].flatMap((name) =>
        remember(memory, `n ${name}`, (text) => nameWords(text.slice(2)).map(unmarked)),
      ),
    )
  const always = wordsIn([productName])
  const kinds = sold.map(({ pairs, names }) => ({ pairs, words: wordsIn(names) }))
  const [first, ...others] = kinds
  for (const word of first?.words ?? []) if (others.every(({ words }) => words.has(word))) always.add(word)
  const stored = new Set<string>()
  for (const word of always) stored.add(saidOf(null, word))
  for (const { pairs, words } of kinds) {
    for (const word of words) {
      if (always.has(word)) continue
      for (const pair of pairs) stored.add(saidOf(pair, word))
      if (stored.size > mostWords) return [...stored]
    }
  }
  return [...stored]
}

/**
 * "Sertraline hydrochloride" is another name of Sertraline, "Losartan potassium and hydrochlorothiazide" of Losartan and
 * hydrochlorothiazide; but losartan is only a part of it.
 */
const isOwnName = (key: string, ownKey: string): boolean =>
  key.includes('_and_') ? ownKey.includes('_and_') : key.startsWith(ownKey)

/** The document of one product: every word by which it may be found, each once. */
export function documentWords(
  source: DocumentSource,
  makerNames: ReadonlyMap<string, string>,
  memory: WordMemory = new Map(),
): string[] {
  const words = new Set<string>()
  const ownKey = nameKey(source.name)
  const makers = new Set<string>()
  const add = (list: readonly string[]): void => list.forEach((word) => words.add(word))

  words.add(mark.product + ownKey)
  add(nameWords(source.name))
  words.add(mark.category + source.category.toLowerCase())
  for (const { kind, label } of source.names) {
    const key = nameKey(label)
    const isOwn = kind === 'product' || (kind === 'ingredient' && isOwnName(key, ownKey))
    words.add((isOwn ? mark.product : kind === 'brand' ? mark.brand : mark.ingredient) + key)
    add(nameWords(label))
  }
  const sold = new Map<string, { pairs: string[]; names: Set<string> }>()
  for (const variant of source.variants) {
    if (variant.manufacturerId) makers.add(variant.manufacturerId)
    const strength = `${variant.strength} ${variant.strengthUnit}; ${variant.labelStrength ?? ''}`
    const form = `${variant.dosageForm ?? ''} ${variant.labelForm ?? ''}`
    let kind = sold.get(`${strength};${form}`)
    if (!kind) {
      const strengths = remember(memory, `s ${strength}`, strengthWords)
      const forms = remember(memory, `f ${form}`, (text) => formWords(text.slice(2)))
      add(strengths)
      add(forms)
      // The label's own word for the form, not the wider one it is sorted under: powder is no "injection" until nothing else is.
      const labelled = variant.labelForm
        ? remember(memory, `f  ${variant.labelForm}`, (text) => formWords(text.slice(2)))
        : forms
      const sizes = strengths.filter((size) => /^\d.*[a-z]$/.test(size))
      kind = {
        pairs: sizes.flatMap((size) => labelled.map((form) => pairOf(size, unmarked(form)))),
        names: new Set(),
      }
      add(kind.pairs)
      sold.set(`${strength};${form}`, kind)
    }
    for (const name of variant.names) kind.names.add(name)
  }
  add(soldWords(source.name, [...sold.values()], memory))
  for (const id of makers) {
    words.add(mark.makerId + id.replaceAll('-', ''))
    for (const word of wordsOf(makerNames.get(id) ?? '')) words.add(mark.maker + word.text)
  }
  words.delete('')
  return [...words]
}
