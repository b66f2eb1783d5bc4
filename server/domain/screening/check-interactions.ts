import type { Alert, AlertItem, AlertLevel, AlertSource } from './alert.ts'
import { toSource } from './alert-source.ts'
import type { InteractionFact, InteractionLevel, ScreeningFacts } from './facts.ts'
import { moreSevere, levelRank } from './order-alerts.ts'
import { quoteSentence } from './quote.ts'
import { joinIngredients } from './product-ingredients.ts'
import { reachOf } from './routes.ts'
import { isPair, itemsWith, type CaseItem, type ScreenedCase } from './screened-case.ts'
import { ingredientsNamed } from './wider-names.ts'

const namedLevels = {
  critical: 'high',
  contraindicated: 'high',
  boxed: 'high',
  significant: 'medium',
  interaction: 'medium',
} as const satisfies Record<InteractionLevel, AlertLevel>

/** What the list says about a pair. The places of a label are not grades. */
const grades = {
  critical: 'Critical',
  significant: 'Significant',
  contraindicated: 'Contraindications',
  boxed: 'Boxed warning',
  interaction: 'Drug interactions',
} as const satisfies Record<InteractionLevel, string>

/** All that the lists say about two things, in either direction. */
type Pair = {
  first: { key: string; items: Set<AlertItem> }
  second: { key: string; items: Set<AlertItem> }
  level: AlertLevel
  sources: { level: AlertLevel; source: AlertSource }[]
}

const pairKey = (a: string, b: string): string => (a < b ? `${a}|${b}` : `${b}|${a}`)

/**
 * The named pairs and the pairs by class among the lines, and between lines and what the patient
 * takes. What several rows say about two ingredients is one alert, whichever label says it.
 */
export function checkInteractions(screened: ScreenedCase, facts: ScreeningFacts): Alert[] {
  const pairs = new Map<string, Pair>()
  const members = new Map<string, string[]>()
  for (const { className, ingredient } of facts.classMembers)
    for (const member of expandSubject(screened, ingredient))
      members.set(className, [...new Set([...(members.get(className) ?? []), member])])

  // Ingredients before sets, and names before classes: the softer ones join the pair that is there.
  const passes = (['ingredient', 'class'] as const).flatMap((kind) => {
    const rows = facts.interactions.filter(({ objectKind }) => objectKind === kind)
    return [rows.filter(({ subject }) => !isSet(subject)), rows.filter(({ subject }) => isSet(subject))]
  })
  for (const fact of passes.flat())
    for (const subject of expandSubject(screened, fact.subject)) {
      if (fact.objectKind === 'ingredient')
        for (const object of expandSubject(screened, fact.object))
          addPair(pairs, screened, facts, fact, { subject, object })
      else
        for (const member of members.get(fact.object) ?? [])
          if (!subject.split(' + ').includes(member))
            addPair(pairs, screened, facts, fact, { subject, object: member })
    }

  return [...pairs].map(([key, pair]) => toAlert(key, pair))
}

/** The ingredients or sets of the case that a name of the lists means: "LITHIUM" is two salts. */
const expandSubject = ({ byIngredient }: ScreenedCase, subject: string): string[] =>
  subject
    .split(' + ')
    .map((name) => ingredientsNamed(name).filter((ingredient) => byIngredient.has(ingredient)))
    .reduce<string[][]>((sets, meant) => sets.flatMap((set) => meant.map((one) => [...set, one])), [[]])
    .map(joinIngredients)

const isSet = (subject: string): boolean => subject.includes(' + ')

function addPair(
  pairs: Map<string, Pair>,
  screened: ScreenedCase,
  facts: ScreeningFacts,
  fact: InteractionFact,
  { subject, object }: { subject: string; object: string },
): void {
  if (subject === object) return
  const subjects = itemsWith(screened, subject)
  const objects = itemsWith(screened, object)
  const met: [CaseItem, CaseItem][] = []
  for (const a of subjects) for (const b of objects) if (isPair(a, b)) met.push([a, b])
  if (met.length === 0) return

  const key = existingKey(pairs, subject, object) ?? pairKey(subject, object)
  const [low, high] = key.split('|')
  const pair: Pair = pairs.get(key) ?? {
    first: { key: low ?? subject, items: new Set() },
    second: { key: high ?? object, items: new Set() },
    level: 'information',
    sources: [],
  }
  const isObjectFirst = pair.first.key === object
  for (const [a, b] of met) {
    ;(isObjectFirst ? pair.second : pair.first).items.add(a.item)
    ;(isObjectFirst ? pair.first : pair.second).items.add(b.item)
  }
  const level = levelOf(fact, met)
  pair.level = moreSevere(pair.level, level)
  pair.sources.push({
    level,
    source: toSource(facts, fact.list, {
      grade: grades[fact.level],
      labelOf: fact.list === 'interactions-label' ? fact.subject : null,
      className: fact.objectKind === 'class' ? fact.object : null,
      sentence: quoteSentence(fact.sentence, fact.object),
      setId: fact.setId,
      labelDate: fact.labelDate,
      rowKey: fact.id,
    }),
  })
  pairs.set(key, pair)
}

/** The pair of one of a set's ingredients, which the label of the set says the same about. */
const existingKey = (pairs: ReadonlyMap<string, Pair>, subject: string, object: string): string | undefined =>
  isSet(subject)
    ? subject
        .split(' + ')
        .map((ingredient) => pairKey(ingredient, object))
        .find((key) => pairs.has(key))
    : undefined

/**
 * By class only it is low. A pair of which one is only applied to a surface is at most medium: the
 * lists do not tell routes apart.
 */
function levelOf(fact: InteractionFact, met: readonly [CaseItem, CaseItem][]): AlertLevel {
  if (fact.objectKind === 'class') return 'low'
  const level = namedLevels[fact.level]
  const isOnSurface = met.every(([a, b]) => reachOf(a.route) === 'surface' || reachOf(b.route) === 'surface')
  return isOnSurface && level === 'high' ? 'medium' : level
}

const toAlert = (key: string, { first, second, level, sources }: Pair): Alert => ({
  key: `interaction:${key}`,
  kind: 'interaction',
  level,
  isFolded: level === 'low',
  audience: 'everyone',
  effect: null,
  first: { key: first.key, items: [...first.items] },
  second: { key: second.key, items: [...second.items] },
  detail: '',
  sources: sources
    .toSorted((a, b) => levelRank(a.level) - levelRank(b.level) || compareSources(a.source, b.source))
    .map(({ source }) => source),
})

/** By list and label, so that the order does not depend on the database's. */
function compareSources(a: AlertSource, b: AlertSource): number {
  const [keyA = '', keyB = ''] = [a, b].map(({ list, labelOf, className }) =>
    [list, labelOf, className].join('|'),
  )
  return keyA < keyB ? 1 : keyA > keyB ? -1 : 0
}
