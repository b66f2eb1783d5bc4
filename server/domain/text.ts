/**
 * Folds a text for comparing and sorting: compatibility-decomposed, without accents and lone surrogates,
 * lower case, every run of other characters than letters and digits one space.
 * "Comprimés d'acétaminophène" → "comprimes d acetaminophene".
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
