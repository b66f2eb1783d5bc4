/**
 * Folds a text for comparison and sorting: compatibility-decomposed, lower case, without accents
 * and lone surrogates, with each run of other characters than letters and digits replaced by one
 * space. "Comprimés d'acétaminophène" → "comprimes d acetaminophene".
 */
export function fold(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
