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
 * The spellings with a swapped or doubled syllable, and of a long word those within two edits or
 * with other vowels only. Likely mistakes come first, then the more common word.
 */
export function rankDistantSpellings(word: string, candidates: readonly Spelling[]): Spelling[] {
  const skeleton = consonants(word)
  const letters = letterSet(word)
  const ranked = candidates.flatMap((candidate) => {
    const known = candidate.word
    // Comparing letter sets is cheap and rules out most candidates: a syllable that is repeated or
    // moved changes no letter of the set, an edit at most two.
    const differing = letters ^ letterSet(known)
    const hasSyllable =
      differing === 0 && (hasSwappedSyllables(word, known) || hasDoubledSyllable(word, known))
    const isLong = Math.max(word.length, known.length) >= shortestTwoEdits
    const isNear = isLong && countLetters(differing) <= 4 && editsUpToTwo(word, known) <= 2
    const soundsAlike = isLong && (differing & plainConsonants) === 0 && consonants(known) === skeleton
    const hasFirstLetter = known[0] === word[0]
    if (hasSyllable) return [{ candidate, rank: 0 }]
    // Vowels are mistaken more often than consonants. Another first letter and other consonants
    // make another medicine: Nicoderm is not Lidoderm.
    if (isNear && soundsAlike) return [{ candidate, rank: hasFirstLetter ? 0 : 3 }]
    if (isNear && hasFirstLetter) return [{ candidate, rank: 1 }]
    return soundsAlike && hasFirstLetter ? [{ candidate, rank: 2 }] : []
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

/** The set of letters in a word, one bit each. A digit shares the bit of a letter. */
function letterSet(word: string): number {
  let set = 0
  for (let i = 0; i < word.length; i++) set |= 1 << (word.charCodeAt(i) & 31)
  return set
}

function countLetters(set: number): number {
  let letters = 0
  for (let rest = set; rest !== 0; rest &= rest - 1) letters++
  return letters
}

/** The letters that `consonants` never removes, replaces or puts in place of another. */
const plainConsonants = letterSet('bdgjlmnqrtvwx')
