/** Directory names in upper case, turned into what one reads. */

const upperWords = new Set(
  'dna rna mrna nph bcg usp hpv rsv hiv mct fim bdd fc ii iii iv vi vii viii ix xi xii xiii fd&c d&c hcl'.split(
    ' ',
  ),
)
const fixedCase: Readonly<Record<string, string>> = { hcl: 'HCl', mrna: 'mRNA', fc: 'Fc' }

/** Letters and numbers that are part of the name: "penicillin G", "Tc-99m", "H1N1", "vitamin B12". */
const keepUpper = (text: string): string =>
  text
    .replace(
      /\b(vitamin|penicillin|amphotericin|polymyxin|hepatitis|group|type|influenza|bacitracin|immunoglobulin|protein|virus|and|strain) ([a-k]\d*)\b/g,
      (_, word: string, letter: string) => `${word} ${letter.toUpperCase()}`,
    )
    .replace(
      /\b(tc|in|ga|tl|xe|cr|sm|sr|rb|i|f|p|c|n|y)-(\d+m?)\b/g,
      (_, element: string, mass: string) => `${element.charAt(0).toUpperCase()}${element.slice(1)}-${mass}`,
    )
    .replace(/\b(?:[hn]\d){2}\b|\b(?:dl|d|l)-(?=[a-z]|$)|\b[a-z&]+\b/g, (word) =>
      /\d/.test(word) || word.endsWith('-')
        ? word.toUpperCase()
        : (fixedCase[word] ?? (upperWords.has(word) ? word.toUpperCase() : word)),
    )

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Directories put the kind behind: "ESTROGENS, CONJUGATED", "ALPHA-TOCOPHEROL, DL-". */
const kindFirst = (text: string): string =>
  text
    .replace(/\.(alpha|beta|gamma|delta|epsilon)\.-?/g, '$1-')
    .replace(/^([^,]+), (dibasic|monobasic|conjugated|esterified|porcine|ovine|inactivated)$/, '$2 $1')
    .replace(/^([^,]+), (dl-|d-|l-)$/, '$2$1')

/** A substance in sentence case without a capital: "SERTRALINE HYDROCHLORIDE" → "sertraline hydrochloride". */
const readableInside = (text: string): string =>
  keepUpper(kindFirst(text.toLowerCase().replace(/^\*/, '').replace(/\s+/g, ' ').trim()))

/** A substance or generic name in sentence case: "PENICILLIN G SODIUM" → "Penicillin G sodium". */
export const readable = (text: string): string => capitalised(readableInside(text))

/** Companions that come second in speech, whatever the alphabet says: lisinopril and hydrochlorothiazide. */
const namedLast = new Set(
  'hydrochlorothiazide chlorthalidone caffeine clavulanate tazobactam sulbactam cilastatin epinephrine levonordefrin tipiracil ethinyl-estradiol mestranol naloxone atropine benserazide'.split(
    ' ',
  ),
)
const isNamedLast = (moiety: string): boolean => namedLast.has(moiety.replaceAll(' ', '-'))

/** The order in which ingredients are said and their strengths stand: by alphabet, companions last. */
export const byIngredient = (a: string, b: string): number =>
  Number(isNamedLast(a)) - Number(isNamedLast(b)) || (a < b ? -1 : a > b ? 1 : 0)

/** What a combination is called when its ingredients together have a name. */
const combinations: Readonly<Record<string, string>> = {
  'amylase+lipase+protease': 'Pancrelipase',
  'amphetamine+dextroamphetamine': 'Amphetamine and dextroamphetamine (mixed salts)',
}
const mostNamed = 4
const namedOfMore = 3

/** "Acetaminophen and codeine"; of more than four ingredients three are named: "A, B, C and 9 more". */
export function joinNames(names: readonly string[]): string {
  const inside = names.map(readableInside)
  const shown = inside.length > mostNamed ? inside.slice(0, namedOfMore) : inside.slice(0, -1)
  const last = inside.length > mostNamed ? `${inside.length - namedOfMore} more` : inside.at(-1)
  return capitalised(shown.length > 0 ? `${shown.join(', ')} and ${last}` : (last ?? ''))
}

/** A product's name from its base moieties, which are sorted by `byIngredient`. */
export const productNameOf = (moieties: readonly string[]): string =>
  combinations[[...moieties].sort().join('+')] ?? joinNames(moieties)

const smallWords = new Set(
  'and or for of the with in to a by de du des la le les et pour au aux avec sans'.split(' '),
)
const isCompanyPrefix =
  /^(?:APO|PMS|ACT|ACH|AG|NU|CO|MED|MAR|NAT|NRA|BIO|DOM|PHL|RAN|RIVA|PRZ|TRI|GD|M|PRO|SDZ|VAN|ZYM)-/

const fixedWords = new Map(
  'LLC ULC LP USA DBA UCB HLS EMD IBU SPF SPF/FPS IV HCT HCTZ HFA mg mcg mL g GmbH'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
)

function brandWord(word: string, at: number): string {
  const lower = word.toLowerCase()
  if (at > 0 && smallWords.has(lower)) return lower
  const end = /[.,]+$/.exec(word)?.[0] ?? ''
  const fixed = fixedWords.get(lower.slice(0, lower.length - end.length))
  if (fixed) return fixed + end
  if (/^[\d.,]+(?:MG|MCG|G|ML|L|H|%)?$/.test(word)) return lower.replace('ml', 'mL')
  return word
    .split(/(?<=[-/(])/)
    .map((part) => {
      // "E.E.S.", "I.V.": initials stay.
      if (/^(?:\p{L}\.){2,}/u.test(part)) return part
      const fixedPart = fixedWords.get(part.toLowerCase())
      if (fixedPart) return fixedPart
      const letters = part.replace(/[^A-ZÀ-Ü]/g, '')
      if (letters.length <= 3 && !/[AEIOUYÀ-Ü]/.test(letters)) return part
      return part.toLowerCase().replace(/\p{L}/u, (letter) => letter.toUpperCase())
    })
    .join('')
}

/** A brand or a maker as one writes it. Names that have both cases already stand as published. */
export function readableBrand(text: string): string {
  const name = text.replace(/\s+/g, ' ').trim()
  if (/\p{Ll}/u.test(name) && /\p{Lu}/u.test(name)) return name
  const prefix = isCompanyPrefix.exec(name.toUpperCase())?.[0] ?? ''
  return (
    prefix +
    name
      .slice(prefix.length)
      .toUpperCase()
      .split(' ')
      .map((word, at) => brandWord(word, at))
      .join(' ')
  )
}
