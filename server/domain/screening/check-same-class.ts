import type { Alert, AlertItem } from './alert.ts'
import { toSource } from './alert-source.ts'
import type { ClassFact, ScreeningFacts } from './facts.ts'
import { reachOf } from './routes.ts'
import { isPair, type ScreenedCase } from './screened-case.ts'

/**
 * ATC codes of medicines that act where they are applied: stomatological, hemorrhoids, skin,
 * gynecological anti-infectives, joints, nose, throat, eye and ear. An oral azole and an oral
 * steroid that both also exist as cream share no therapy.
 */
const localAtc = /^(?:A01|C05A|D|G01|M02|R01A|R02|S)/

/**
 * The class by which duplicate therapy is found: the established pharmacologic class, or level 4 of
 * the ATC code (its first five characters). Null for a code that is shorter or of a local use.
 */
function groupOf({ system, code, name }: ClassFact): string | null {
  if (system === 'EPC') return name
  return code.length < 5 || localAtc.test(code) ? null : code.slice(0, 5)
}

/** Two ingredients of the same class in two items, all of systemic routes. */
export function checkSameClass({ items }: ScreenedCase, facts: ScreeningFacts): Alert[] {
  const classesOf = new Map<string, Map<string, ClassFact>>()
  for (const fact of facts.classes) {
    const group = groupOf(fact)
    if (group === null) continue
    const known = classesOf.get(fact.ingredient) ?? new Map<string, ClassFact>()
    classesOf.set(fact.ingredient, known.set(group, fact))
  }
  const found = new Map<string, { groups: Map<string, ClassFact>; a: Set<AlertItem>; b: Set<AlertItem> }>()
  const systemic = items.filter(({ route }) => reachOf(route) === 'systemic')
  for (const one of systemic)
    for (const other of systemic) {
      if (one.index >= other.index || !isPair(one, other)) continue
      for (const a of one.ingredients)
        for (const b of other.ingredients) {
          // An ingredient that both items have is the other check's.
          if (one.ingredients.includes(b) || other.ingredients.includes(a)) continue
          const groups = sharedGroups(classesOf.get(a), classesOf.get(b))
          if (groups.size === 0) continue
          const isSorted = a < b
          const key = isSorted ? `${a}|${b}` : `${b}|${a}`
          const pair = found.get(key) ?? { groups, a: new Set(), b: new Set() }
          pair.a.add(isSorted ? one.item : other.item)
          pair.b.add(isSorted ? other.item : one.item)
          found.set(key, pair)
        }
    }
  return [...found].map(([key, { groups, a, b }]) => {
    const [first = '', second = ''] = key.split('|')
    return {
      key: `same-class:${key}`,
      kind: 'same-class',
      level: 'medium',
      isFolded: false,
      audience: 'everyone',
      effect: null,
      first: { key: first, items: [...a] },
      second: { key: second, items: [...b] },
      detail:
        [...groups.values()].find(({ system }) => system === 'EPC')?.name ?? [...groups.keys()].join(', '),
      sources: [...groups].map(([group, { system }]) =>
        toSource(facts, 'ingredient-classes', { grade: system === 'EPC' ? group : `ATC ${group}` }),
      ),
    }
  })
}

function sharedGroups(
  a: ReadonlyMap<string, ClassFact> | undefined,
  b: ReadonlyMap<string, ClassFact> | undefined,
): Map<string, ClassFact> {
  const shared = new Map<string, ClassFact>()
  if (!a || !b) return shared
  // Classes with names before ATC codes, whatever the database's order.
  const isEpc = (group: string): number => (a.get(group)?.system === 'EPC' ? 0 : 1)
  const groups = [...a.keys()].toSorted((one, other) => isEpc(one) - isEpc(other) || (one < other ? -1 : 1))
  for (const group of groups) {
    const fact = a.get(group)
    if (fact && b.has(group)) shared.set(group, fact)
  }
  return shared
}
