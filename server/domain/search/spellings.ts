import { withinOneEdit } from './edit-distance.ts'

/** A known word and the number of products that have it. */
export type Spelling = { word: string; products: number }

/**
 * The spellings within one edit of a word: those with its first letter first, then the most common.
 */
export function rankSpellings(word: string, candidates: readonly Spelling[]): Spelling[] {
  const rank = (spelling: Spelling): number => (spelling.word[0] === word[0] ? 0 : 1)
  return candidates
    .filter((candidate) => withinOneEdit(candidate.word, word))
    .toSorted((a, b) => rank(a) - rank(b) || b.products - a.products || (a.word < b.word ? -1 : 1))
}
