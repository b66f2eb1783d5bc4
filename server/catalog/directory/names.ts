/** Formats the directories' upper-case names for display. */

import { capitalize, formatSubstanceInline } from '#domain/catalog/substance-name.ts'

/**
 * Ingredients that are named last regardless of the alphabet: lisinopril and hydrochlorothiazide.
 */
const namedLast = new Set(
  'hydrochlorothiazide chlorthalidone caffeine clavulanate tazobactam sulbactam cilastatin epinephrine levonordefrin tipiracil ethinyl-estradiol mestranol naloxone atropine benserazide'.split(
    ' ',
  ),
)
const isNamedLast = (moiety: string): boolean => namedLast.has(moiety.replaceAll(' ', '-'))

/** The order of ingredients and their strengths: alphabetical, with the above last. */
export const compareIngredients = (a: string, b: string): number =>
  Number(isNamedLast(a)) - Number(isNamedLast(b)) || (a < b ? -1 : a > b ? 1 : 0)

/** Combinations with a name of their own. */
const combinations: Readonly<Record<string, string>> = {
  'amylase+lipase+protease': 'Pancrelipase',
  'amphetamine+dextroamphetamine': 'Amphetamine and dextroamphetamine (mixed salts)',
}
const maxNamed = 4
const namedWhenMore = 3

/**
 * "Acetaminophen and codeine". Of more than four ingredients three are named: "A, B, C and 9 more".
 */
export function joinNames(names: readonly string[]): string {
  const inside = names.map(formatSubstanceInline)
  const shown = inside.length > maxNamed ? inside.slice(0, namedWhenMore) : inside.slice(0, -1)
  const last = inside.length > maxNamed ? `${inside.length - namedWhenMore} more` : inside.at(-1)
  return capitalize(shown.length > 0 ? `${shown.join(', ')} and ${last}` : (last ?? ''))
}

/** A product's name from its base moieties sorted by `compareIngredients`. */
export const buildProductName = (moieties: readonly string[]): string =>
  combinations[[...moieties].sort().join('+')] ?? joinNames(moieties)

const smallWords = new Set(
  'and or for of the with in to a by de du des la le les et pour au aux avec sans'.split(' '),
)
const companyPrefix =
  /^(?:APO|PMS|ACT|ACH|AG|NU|CO|MED|MAR|NAT|NRA|BIO|DOM|PHL|RAN|RIVA|PRZ|TRI|GD|M|PRO|SDZ|VAN|ZYM)-/

const fixedWords = new Map(
  'LLC ULC LP USA DBA UCB HLS EMD IBU SPF SPF/FPS IV HCT HCTZ HFA mg mcg mL g GmbH'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
)

function brandWord(word: string, index: number): string {
  const lower = word.toLowerCase()
  if (index > 0 && smallWords.has(lower)) return lower
  const end = /(?<![.,])[.,]+$/.exec(word)?.[0] ?? ''
  const fixed = fixedWords.get(lower.slice(0, lower.length - end.length))
  if (fixed) return fixed + end
  if (/^[\d.,]+(?:MG|MCG|G|ML|L|H|%)?$/.test(word)) return lower.replace('ml', 'mL')
  return word
    .split(/(?<=[-/(])/)
    .map((part) => {
      // "E.E.S.", "I.V.": initials stay as they are.
      if (/^(?:\p{L}\.){2,}/u.test(part)) return part
      const fixedPart = fixedWords.get(part.toLowerCase())
      if (fixedPart) return fixedPart
      const letters = part.replace(/[^A-ZÀ-Ü]/g, '')
      if (letters.length <= 3 && !/[AEIOUYÀ-Ü]/.test(letters)) return part
      return part.toLowerCase().replace(/\p{L}/u, (letter) => letter.toUpperCase())
    })
    .join('')
}

/** Formats the name of a brand or a manufacturer. Mixed-case names stay as published. */
export function formatBrand(text: string): string {
  const name = text.replace(/\s+/g, ' ').trim()
  if (/\p{Ll}/u.test(name) && /\p{Lu}/u.test(name)) return name
  const prefix = companyPrefix.exec(name.toUpperCase())?.[0] ?? ''
  return (
    prefix +
    name
      .slice(prefix.length)
      .toUpperCase()
      .split(' ')
      .map((word, index) => brandWord(word, index))
      .join(' ')
  )
}
