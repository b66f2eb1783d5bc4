import { editsUpToTwo, hasDoubledSyllable, hasSwappedSyllables, withinOneEdit } from './edit-distance.ts'

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

/** A shorter word is within two edits of too many others. */
const shortestTwoEdits = 8
/** The shortest word whose swapped or doubled syllable is repaired. */
export const shortestDistant = 6

/**
 * The spellings with a swapped or doubled syllable, or within two edits of a long word: likely
 * mistakes first, then those with its first letter, then the most common.
 */
export function rankDistantSpellings(word: string, candidates: readonly Spelling[]): Spelling[] {
  const skeleton = consonants(word)
  const ranked = candidates.flatMap((candidate) => {
    const known = candidate.word
    const hasSyllable = hasSwappedSyllables(word, known) || hasDoubledSyllable(word, known)
    const isNear = word.length >= shortestTwoEdits && editsUpToTwo(word, known) <= 2
    if (!hasSyllable && !isNear) return []
    // Vowels are mistaken more often than consonants. Another first letter and other consonants
    // make another medicine: Nicoderm is not Lidoderm.
    const soundsAlike = consonants(known) === skeleton
    if (known[0] !== word[0] && !soundsAlike) return []
    return [{ candidate, rank: (hasSyllable || soundsAlike ? 0 : 1) + (known[0] === word[0] ? 0 : 2) }]
  })
  return ranked
    .toSorted(
      (a, b) =>
        a.rank - b.rank ||
        b.candidate.products - a.candidate.products ||
        (a.candidate.word < b.candidate.word ? -1 : 1),
    )
    .map(({ candidate }) => candidate)
}

/** A word's consonants as they sound, without repeats. */
const consonants = (word: string): string =>
  word
    .replaceAll('ph', 'f')
    .replace(/[aeiouy]/g, '')
    .replaceAll('z', 's')
    .replaceAll('k', 'c')
    .replace(/(.)\1+/g, '$1')
