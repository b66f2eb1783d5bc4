/** Formats the directories' upper-case names of substances for display. */

const upperWords = new Set(
  'dna rna mrna nph bcg usp hpv rsv hiv mct fim bdd fc ii iii iv vi vii viii ix xi xii xiii fd&c d&c hcl'.split(
    ' ',
  ),
)
const fixedCase: Readonly<Record<string, string>> = { hcl: 'HCl', mrna: 'mRNA', fc: 'Fc' }

/**
 * Upper-cases letters and numbers that are part of the name: "penicillin G", "Tc-99m", "H1N1",
 * "vitamin B12".
 */
const upperCaseSymbols = (text: string): string =>
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

/** With a capital first letter; the rest stays. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Moves a trailing kind to the front: "ESTROGENS, CONJUGATED", "ALPHA-TOCOPHEROL, DL-". */
const moveKindToFront = (text: string): string =>
  text
    .replace(/\.(alpha|beta|gamma|delta|epsilon)\.-?/g, '$1-')
    .replace(/^([^,]+), (dibasic|monobasic|conjugated|esterified|porcine|ovine|inactivated)$/, '$2 $1')
    .replace(/^([^,]+), (dl-|d-|l-)$/, '$2$1')

/**
 * A substance in sentence case without a capital: "SERTRALINE HYDROCHLORIDE" → "sertraline
 * hydrochloride".
 */
export const formatSubstanceInline = (text: string): string =>
  upperCaseSymbols(moveKindToFront(text.toLowerCase().replace(/^\*/, '').replace(/\s+/g, ' ').trim()))

/** A substance or generic name in sentence case: "PENICILLIN G SODIUM" → "Penicillin G sodium". */
export const formatSubstance = (text: string): string => capitalize(formatSubstanceInline(text))
