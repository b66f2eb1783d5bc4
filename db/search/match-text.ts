import type { Match, Term } from '#domain/search/match.ts'
import type { Engine } from '../engine/client.ts'

/** The match in the engine's full-text syntax. Words from `splitWords` contain no quotes. */
export function matchText(engine: Engine, match: Match): string {
  const term =
    engine === 'sqlite'
      ? ({ word, prefix }: Term) => `"${word}"${prefix ? '*' : ''}`
      : ({ word, prefix }: Term) => `'${word}'${prefix ? ':*' : ''}`
  const [or, and] = engine === 'sqlite' ? [' OR ', ' AND '] : [' | ', ' & ']
  return match
    .map((group) => (group.length === 1 ? group.map(term).join('') : `(${group.map(term).join(or)})`))
    .join(and)
}
