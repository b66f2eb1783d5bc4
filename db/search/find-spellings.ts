import {
  rankDistantSpellings,
  rankSpellings,
  shortestDistant,
  type Spelling,
} from '#domain/search/spellings.ts'
import { sql } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { reverse } from './search-words-table.ts'

/** The end of the range of words that start with a text. */
const endOfRange = (start: string): string => `${start}\u{10ffff}`

type Values = Record<'start' | 'startEnd' | 'end' | 'endEnd' | 'other', string> &
  Record<'minLength' | 'maxLength', number>

/**
 * The known words that begin or end with the given letters, and `other`. All are one text, "word
 * products,word products": hundreds of rows cost more.
 */
const candidates = prepareQuery((db, p: Params<Values>) => {
  const known = db
    .selectFrom('searchWords')
    .select(['word', 'products'])
    .where(sql`length(word)`, '>=', p.minLength)
    .where(sql`length(word)`, '<=', p.maxLength)
  // Not those that the first range has already.
  const others = known.where((on) => on.or([on('word', '<', p.start), on('word', '>=', p.startEnd)]))
  const found = known
    .where('word', '>=', p.start)
    .where('word', '<', p.startEnd)
    .unionAll(others.where('reversed', '>=', p.end).where('reversed', '<', p.endEnd))
    .unionAll(others.where('word', '=', p.other))
  return db
    .selectFrom(found.as('found'))
    .select(sql<string | null>`string_agg(word || ' ' || products, ',')`.as('words'))
})

type Search = {
  start: string
  end: string
  /** How many letters a word may be longer or shorter. */
  extraLetters: number
  other?: string
}

async function findCandidates(
  db: Db,
  word: string,
  { start, end, extraLetters, other = '' }: Search,
): Promise<Spelling[]> {
  const letters = [...word].length
  const reversedEnd = reverse(end)
  const [row] = await candidates(db, {
    start,
    startEnd: endOfRange(start),
    end: reversedEnd,
    endEnd: endOfRange(reversedEnd),
    other,
    minLength: letters - extraLetters,
    maxLength: letters + extraLetters,
  })
  return parseCandidates(row?.words ?? null)
}

function parseCandidates(words: string | null): Spelling[] {
  if (words === null) return []
  return words.split(',').map((candidate) => {
    const space = candidate.indexOf(' ')
    return { word: candidate.slice(0, space), products: Number(candidate.slice(space + 1)) }
  })
}

/**
 * The known words at most one edit away, best first, including the word itself when it is known.
 * One edit leaves the first or the last half of a word intact, so two index ranges find all of
 * them, except a swap of the two letters in the middle.
 */
export async function findSpellings(db: Db, word: string): Promise<Spelling[]> {
  const half = Math.floor(word.length / 2)
  const swapped = word.slice(0, half - 1) + (word[half] ?? '') + (word[half - 1] ?? '') + word.slice(half + 1)
  const found = await findCandidates(db, word, {
    start: word.slice(0, half),
    end: word.slice(half),
    extraLetters: 1,
    other: swapped,
  })
  return rankSpellings(word, found)
}

/** The most letters that a doubled syllable adds or removes. */
const maxExtraLetters = 4

/**
 * The known words with a swapped or doubled syllable or, for a long word, at most two edits away,
 * best first. They have the word's first letter, or its last third: mistakes in both are rare.
 */
export async function findDistantSpellings(db: Db, word: string): Promise<Spelling[]> {
  if (word.length < shortestDistant) return []
  const found = await findCandidates(db, word, {
    start: word.slice(0, 1),
    end: word.slice(-Math.ceil(word.length / 3)),
    extraLetters: maxExtraLetters,
  })
  return rankDistantSpellings(word, found)
}
