import { rankSpellings, type Spelling } from '#domain/search/spellings.ts'
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
