import type { Category, DosageForm } from '#domain/catalog.ts'
import { pairOf } from '#domain/search-query.ts'
import {
  formOf,
  nameKey,
  otherSpelling,
  convertedStrengths,
  wordsOf,
  type Word,
} from '#domain/search-words.ts'
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
}
export type DocumentSource = {
  name: string
  category: Category
  names: readonly DocumentName[]
  variants: readonly DocumentVariant[]
}

/** A medicine with this many different words (nutrition, vaccines) is found by its first ones. */
const mostWords = 6000

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
  wordsOf(text).flatMap((word) =>
    word.kind === 'strength'
      ? [word.text, ...word.parts, ...convertedStrengths(word.text).map((text) => mark.converted + text)]
      : [word.text],
  )

const formWords = (text: string): string[] =>
  wordsOf(text).map(({ text }) => mark.aside + (formOf(text) ?? text))

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
    // "Sertraline hydrochloride" is another name of Sertraline; codeine is only a part of Acetaminophen and codeine.
    const isOwn =
      kind === 'product' || (kind === 'ingredient' && key.startsWith(ownKey) && !key.includes('_and_'))
    words.add((isOwn ? mark.product : kind === 'brand' ? mark.brand : mark.ingredient) + key)
    add(nameWords(label))
  }
  for (const variant of source.variants) {
    if (words.size > mostWords) break
    if (variant.manufacturerId) makers.add(variant.manufacturerId)
    const strength = `${variant.strength} ${variant.strengthUnit}; ${variant.labelStrength ?? ''}`
    const strengths = remember(memory, `s ${strength}`, strengthWords)
    const forms = remember(memory, `f ${variant.dosageForm ?? ''} ${variant.labelForm ?? ''}`, (text) =>
      formWords(text.slice(2)),
    )
    add(strengths)
    add(forms)
    for (const size of strengths) {
      if (!/^\d.*[a-z]$/.test(size)) continue
      for (const form of forms) words.add(pairOf(size, form.slice(mark.aside.length)))
    }
  }
  for (const id of makers) {
    words.add(mark.makerId + id.replaceAll('-', ''))
    for (const word of wordsOf(makerNames.get(id) ?? '')) words.add(mark.maker + word.text)
  }
  words.delete('')
  return [...words]
}
