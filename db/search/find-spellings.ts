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

const candidates = prepareQuery(
  (db, p: Params<Record<'start' | 'startEnd' | 'end' | 'endEnd' | 'swapped' | 'word', string>>) =>
    db
      .selectFrom('searchWords')
      .select(['word', 'products'])
      .where('word', '>=', p.start)
      .where('word', '<', p.startEnd)
      .union((eb) =>
        eb
          .selectFrom('searchWords')
          .select(['word', 'products'])
          .where('reversed', '>=', p.end)
          .where('reversed', '<', p.endEnd),
      )
      .union((eb) =>
        eb
          .selectFrom('searchWords')
          .select(['word', 'products'])
          .where((on) => on.or([on('word', '=', p.swapped), on('word', '=', p.word)])),
      ),
)

/**
 * The known words at most one edit away, best first, including the word itself when it is known.
 * One edit leaves the first or the last half of a word intact, so two index ranges find all of
 * them, except a swap of the two letters in the middle.
 */
export async function findSpellings(db: Db, word: string): Promise<Spelling[]> {
  const half = Math.floor(word.length / 2)
  const start = word.slice(0, half)
  const end = reverse(word.slice(half))
  const swapped = word.slice(0, half - 1) + (word[half] ?? '') + (word[half - 1] ?? '') + word.slice(half + 1)
  const rows = await candidates(db, {
    start,
    startEnd: endOfRange(start),
    end,
    endEnd: endOfRange(end),
    swapped,
    word,
  })
  return rankSpellings(word, rows)
}

/** All candidates are one text, "word products,word products": hundreds of rows cost more. */
const distantCandidates = prepareQuery(
  (
    db,
    p: Params<
      Record<'start' | 'startEnd' | 'end' | 'endEnd', string> & { minLength: number; maxLength: number }
    >,
  ) =>
    db
      .selectFrom((from) =>
        from
          .selectFrom('searchWords')
          .select(['word', 'products'])
          .where('word', '>=', p.start)
          .where('word', '<', p.startEnd)
          .unionAll((eb) =>
            eb
              .selectFrom('searchWords')
              .select(['word', 'products'])
              .where('reversed', '>=', p.end)
              .where('reversed', '<', p.endEnd)
              // The first range has these already.
              .where((on) => on.or([on('word', '<', p.start), on('word', '>=', p.startEnd)])),
          )
          .as('candidates'),
      )
      .select(sql<string | null>`string_agg(word || ' ' || products, ',')`.as('words'))
      .where(sql`length(word)`, '>=', p.minLength)
      .where(sql`length(word)`, '<=', p.maxLength),
)

function parseCandidates(words: string | null): Spelling[] {
  if (words === null) return []
  return words.split(',').map((candidate) => {
    const space = candidate.indexOf(' ')
    return { word: candidate.slice(0, space), products: Number(candidate.slice(space + 1)) }
  })
}

/** The most letters that a doubled syllable adds or removes. */
const maxExtraLetters = 4

/**
 * The known words with a swapped or doubled syllable or, for a long word, at most two edits away,
 * best first. They have the word's first letter, or its last third: mistakes in both are rare.
 */
export async function findDistantSpellings(db: Db, word: string): Promise<Spelling[]> {
  if (word.length < shortestDistant) return []
  const start = word.slice(0, 1)
  const end = reverse(word.slice(-Math.ceil(word.length / 3)))
  const [row] = await distantCandidates(db, {
    start,
    startEnd: endOfRange(start),
    end,
    endEnd: endOfRange(end),
    minLength: word.length - maxExtraLetters,
    maxLength: word.length + maxExtraLetters,
  })
  return rankDistantSpellings(word, parseCandidates(row?.words ?? null))
}
