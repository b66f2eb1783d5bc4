import { dosageForms, type DosageForm } from '../catalog/catalog.ts'

/**
 * How search splits text into words, for documents and queries alike (docs/search.md, "Words").
 * Both engines receive folded words, so no engine's language rules apply.
 */
export type Word = {
  text: string
  kind: 'word' | 'number' | 'strength'
  /** The words before a number and its unit were joined: "500 mg" → 500, mg. */
  parts: string[]
}

const maxWordLength = 40

const ligatures: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
}

/** Lower case without accents, ligatures, trademark signs and lone surrogates. */
const plain = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[™®©℠]/g, ' ')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[œæßøłđðþ]/g, (letter) => ligatures[letter] ?? letter)

const unitSpellings: Readonly<Record<string, string>> = {
  mg: 'mg milligram milligrams milligramme milligrammes mgs',
  mcg: 'mcg μg ug microgram micrograms microgramme microgrammes mcgs',
  ng: 'ng nanogram nanograms',
  g: 'g gm gms gram grams gramme grammes',
  kg: 'kg',
  ml: 'ml mls milliliter milliliters millilitre millilitres cc',
  l: 'l liter liters litre litres',
  unit: 'unit units iu ui u unt unite unites',
  pct: 'pct percent',
  meq: 'meq',
  mmol: 'mmol',
  mci: 'mci',
  mbq: 'mbq',
  gbq: 'gbq',
  ppm: 'ppm',
}
const units: ReadonlyMap<string, string> = new Map(
  Object.entries(unitSpellings).flatMap(([unit, spellings]) =>
    spellings.split(' ').map((written) => [written, unit]),
  ),
)

/** "1,000" → "1000", "0,5" and ".50" → "0.5". */
function plainNumber(written: string): string {
  const digits = /^\d{1,3}(,\d{3})+(\.|$)/.test(written)
    ? written.replaceAll(',', '')
    : written.replace(',', '.')
  const [whole = '', decimals = ''] = digits.split('.')
  const tail = decimals.replace(/(?<!0)0+$/, '')
  return (whole.replace(/^0+(?=\d)/, '') || '0') + (tail && `.${tail}`)
}

const rawPattern = /((?:\d{1,3}(?:,\d{3})+|\d+)(?:[.,]\d+)?|\.\d+)|(\p{L}[\p{L}\p{N}]*)|%/gu

/**
 * The words of a text in order. A number and the unit after it form one word, however they are
 * spaced.
 */
export function splitWords(text: string): Word[] {
  const source = plain(text)
  const words: Word[] = []
  let end = -1
  for (const match of source.matchAll(rawPattern)) {
    const [found, number, letters] = match
    const before = words.at(-1)
    const gap = end < 0 ? ' ' : source.slice(end, match.index)
    end = match.index + found.length
    if (number !== undefined) {
      const value = plainNumber(number).slice(0, maxWordLength)
      words.push({ text: value, kind: 'number', parts: [value] })
      continue
    }
    const word = (letters ?? 'pct').slice(0, maxWordLength)
    const unit = units.get(word)
    if (before?.kind === 'number' && unit && /^[\s[-]*$/.test(gap)) {
      words[words.length - 1] = { text: before.text + unit, kind: 'strength', parts: [before.text, unit] }
    } else if (before?.kind === 'number' && gap === '' && letters !== undefined) {
      // "3tc", "5fu": one word, as written.
      words[words.length - 1] = {
        text: (before.text + word).slice(0, maxWordLength),
        kind: 'word',
        parts: [before.text, word],
      }
    } else if (letters !== undefined) {
      words.push({ text: word, kind: 'word', parts: [word] })
    }
  }
  return words
}

const formSpellings: Readonly<Record<string, string>> = {
  tablet: 'tablets tab tabs caplet caplets comprime comprimes',
  capsule: 'capsules cap caps gelule gelules',
  liquid: 'liquids liquide liquides',
  solution: 'solutions soln',
  suspension: 'suspensions susp',
  drop: 'drops goutte gouttes',
  syrup: 'syrups sirop sirops',
  cream: 'creams creme cremes',
  ointment: 'ointments oint onguent onguents pommade pommades',
  gel: 'gels',
  lotion: 'lotions',
  injection: 'injections injectable inj',
  inhaler: 'inhalers inhalateur inhalateurs',
  patch: 'patches patchs timbre timbres',
  suppository: 'suppositories suppositoire suppositoires supp',
  powder: 'powders poudre poudres',
  spray: 'sprays',
  lozenge: 'lozenges pastille pastilles',
} satisfies Partial<Record<DosageForm, string>> & Record<string, string>

const forms: ReadonlyMap<string, string> = new Map([
  ...dosageForms.map((form) => [form, form] as const),
  ...Object.entries(formSpellings).flatMap(([form, spellings]) =>
    [form, ...spellings.split(' ')].map((written) => [written, form] as const),
  ),
])

/** "comprimés", "tabs" → "tablet". Undefined for a word that names no form. */
export const findForm = (word: string): string | undefined => forms.get(word)

const minFormPrefix = 3

/** The forms that a word is a prefix of: "caps", "tabl". */
export const formsStartingWith = (start: string): string[] =>
  start.length < minFormPrefix
    ? []
    : [...new Set([...forms].flatMap(([written, form]) => (written.startsWith(start) ? [form] : [])))]

const abbreviations: ReadonlyMap<string, string> = new Map([
  ['hcl', 'hydrochloride'],
  ['hbr', 'hydrobromide'],
])

/**
 * Ingredients that people and prescriptions abbreviate, with the meanings of ISMP's list of
 * error-prone drug name abbreviations (ismp.org/recommendations/error-prone-abbreviations-list).
 * Labels use some in brand names ("Losartan HCTZ"), so the abbreviation alone would find
 * combinations first.
 */
const ingredientAbbreviations: ReadonlyMap<string, string> = new Map([
  ['hctz', 'hydrochlorothiazide'],
  ['apap', 'acetaminophen'],
])

/** "hydrochlorothiazide" for "hctz". Undefined for other words. */
export const findAbbreviated = (word: string): string | undefined => ingredientAbbreviations.get(word)

/** The other spelling that a word is stored under: the form it names or the word it abbreviates. */
export const otherSpelling = (word: string): string | undefined => findForm(word) ?? abbreviations.get(word)

/** A whole name as one word, for the name tiers. Truncated. */
export const nameKey = (text: string): string => keyOf(splitWords(text))

export const keyOf = (words: readonly Word[]): string =>
  words
    .flatMap((word) => word.parts)
    .join('_')
    .slice(0, 100)

/** A strength in the neighboring units: 500mg is 0.5g, 0.05mg is 50mcg. */
export function convertedStrengths(strength: string): string[] {
  const match = /^([\d.]+)(mcg|mg|g)$/.exec(strength)
  const amount = Number(match?.[1])
  if (!match || !Number.isFinite(amount)) return []
  const written = (value: number, unit: string): string[] => {
    const text = String(Number(value.toPrecision(12)))
    return /^\d+(\.\d{1,4})?$/.test(text) ? [text + unit] : []
  }
  if (match[2] === 'mg')
    return [...written(amount / 1000, 'g'), ...(amount < 10 ? written(amount * 1000, 'mcg') : [])]
  return match[2] === 'g' ? written(amount * 1000, 'mg') : written(amount / 1000, 'mg')
}
