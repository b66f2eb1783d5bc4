import { withinOneEdit } from '#domain/search/edit-distance.ts'
import { prepared, type Db, type Params } from '../engine/client.ts'
import { backwards } from './search-words-table.ts'

export type Spelling = { word: string; products: number }

/** Behind every word that begins with a text. */
const after = (start: string): string => `${start}\u{10ffff}`

const candidates = prepared(
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
 * The known words at most one edit away, the word itself included when it is known; the likeliest first: one that begins
 * alike, then the one that most products have. One edit leaves the first half of a word whole or its last half; only
 * swapping the two letters in its middle touches both.
 */
export async function findSpellings(db: Db, word: string): Promise<Spelling[]> {
  const half = Math.floor(word.length / 2)
  const start = word.slice(0, half)
  const end = backwards(word.slice(half))
  const swapped = word.slice(0, half - 1) + (word[half] ?? '') + (word[half - 1] ?? '') + word.slice(half + 1)
  const rows = await candidates(db, { start, startEnd: after(start), end, endEnd: after(end), swapped, word })
  const rank = (spelling: Spelling): number => (spelling.word[0] === word[0] ? 0 : 1)
  return rows
    .filter((row) => withinOneEdit(row.word, word))
    .sort((a, b) => rank(a) - rank(b) || b.products - a.products || (a.word < b.word ? -1 : 1))
}
