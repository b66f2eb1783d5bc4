const units: Readonly<Record<string, string>> = { MG: 'mg', MCG: 'mcg', ML: 'mL', G: 'g', L: 'L', KG: 'kg' }

/** Abbreviations that stay as the label has them. */
const abbreviations = new Set(['USP', 'NF', 'BP', 'NDC', 'DIN', 'UPC', 'IUD', 'HCL', 'II', 'III', 'IV'])

/** A directory's capitals as a sentence: "TABLET, FILM COATED" becomes "Tablet, film coated". */
export function toSentenceCase(text: string): string {
  const lower = text.replaceAll(/(?<![\p{L}\d-])\p{Lu}+(?![\p{L}\d])/gu, (word) =>
    abbreviations.has(word) ? word : (units[word] ?? (word.length > 1 ? word.toLowerCase() : word)),
  )
  return lower.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}
