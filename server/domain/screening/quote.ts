/**
 * Label sentences were cut out of labels by words: some begin in the middle, some are rows of a
 * table, some headings. Only those that read as a sentence are quoted.
 */

const verb =
  /\b(?:may|should|can|could|must|might|will|would|is|are|was|were|has|have|had|does|avoid|cause[sd]?|results? in|increase[sd]|decrease[sd]|reduce[sd]|enhance[sd]|potentiate[sd]|inhibit(?:s|ed)|interfere[sd]|prolong(?:s|ed)|raise[sd]|lower(?:s|ed)|alter(?:s|ed)|require[sd]?)\b/i
/** A section number in the middle, arrows and cells of a table. */
const notProse =
  /\s\d+\.\d+\s+[A-Z]|[↑↓↔→]|\bNA\b|\b\d+%\s+[A-Z]|Clinical Impact|Prevention or Management|Intervention|Examples?:/
const maxLength = 400

const readsAsSentence = (text: string): boolean => {
  if (!/^[A-Z]/.test(text) || /[…,:;(-]$/.test(text) || text.length > maxLength) return false
  const words = text.split(/\s+/)
  if (words.length < 6 || !verb.test(text) || notProse.test(text)) return false
  const capitalized = words.filter((word) => /^[A-Z]/.test(word)).length
  return capitalized / words.length <= 0.34
}

/** Whether a text has every word of a name: "CYP3A4 inhibitors" is in "inhibitors of CYP3A". */
function hasName(text: string, name: string): boolean {
  const folded = text.toLowerCase()
  return name
    .toLowerCase()
    .split(/[\s/-]+/)
    .map((word) => word.replace(/^cyp(\d[a-z]).*/, 'cyp$1').replace(/s$/, ''))
    .every((word) => word === '(any)' || folded.includes(word))
}

/**
 * The sentence of a label's text that names the other medicine or class and can be quoted; null
 * when none does. Then the page says only where the label lists it.
 *
 * @param text of the list: up to a few sentences, cut at either end
 * @param name of the other medicine; null when any sentence will do
 */
export function quoteSentence(text: string | null, name: string | null): string | null {
  if (text === null) return null
  const sentences = text
    .replaceAll(/(?<!\s)\s{1,3}([.,;:])/g, '$1')
    .replace(/\.{2,}/g, '.')
    .split(/(?<=[a-z)\]®][.!?])\s+/)
    .map((sentence) => sentence.trim())
  return (
    sentences.find((sentence) => (name === null || hasName(sentence, name)) && readsAsSentence(sentence)) ??
    null
  )
}
