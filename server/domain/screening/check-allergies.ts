import type { Alert, AlertItem, AlertLevel, AlertSource } from './alert.ts'
import { toSource } from './alert-source.ts'
import { groupsMeantBy, ingredientsMeantBy } from './allergen-groups.ts'
import type { AllergyLabelFact, ScreeningFacts } from './facts.ts'
import { moreSevere } from './order-alerts.ts'
import type { ScreenedAllergy, ScreenedPatient } from './patient.ts'
import { quoteSentence } from './quote.ts'
import type { ScreenedCase } from './screened-case.ts'

type Found = {
  level: AlertLevel
  ingredient: string
  allergy: ScreenedAllergy
  lines: Set<AlertItem>
  detail: string
  sources: AlertSource[]
}

/**
 * Lines that have what the patient reacts to, an ingredient of the same group, or a label that
 * warns of an allergy to the group or an excipient. Every route counts.
 */
export function checkAllergies(
  { items }: ScreenedCase,
  { allergies }: ScreenedPatient,
  facts: ScreeningFacts,
): Alert[] {
  const groupsOf = new Map<string, string[]>()
  for (const { group, ingredient } of facts.allergyGroups)
    groupsOf.set(ingredient, [...(groupsOf.get(ingredient) ?? []), group].toSorted())

  const found = new Map<string, Found>()
  const add = (
    allergy: ScreenedAllergy,
    { line, ingredient }: { line: AlertItem; ingredient: string },
    { level, detail, source }: { level: AlertLevel; detail: string; source: AlertSource },
  ): void => {
    const key = `${ingredient}|${allergy.key}`
    const known = found.get(key)
    const alert = known ?? { level, ingredient, allergy, lines: new Set(), detail, sources: [] }
    alert.level = moreSevere(alert.level, level)
    alert.lines.add(line)
    if (!alert.sources.some((other) => isSameSource(other, source))) alert.sources.push(source)
    found.set(key, alert)
  }

  for (const { line, item, ingredients } of items) {
    if (line === null) continue
    for (const allergy of allergies) {
      if (allergy.kind === 'unrecognized') continue
      const allergyGroups =
        allergy.kind === 'group' ? groupsMeantBy(allergy.key) : (groupsOf.get(allergy.key) ?? [])
      for (const ingredient of ingredients) {
        if (ingredientsMeantBy(allergy).includes(ingredient))
          add(
            allergy,
            { line: item, ingredient },
            {
              level: 'high',
              detail: '',
              source: toSource(facts, 'ingredient-names'),
            },
          )
        const group = groupsOf.get(ingredient)?.find((name) => allergyGroups.includes(name))
        if (group !== undefined)
          add(
            allergy,
            { line: item, ingredient },
            {
              level: 'high',
              detail: group,
              source: toSource(facts, 'allergy-groups', { grade: group }),
            },
          )
      }
      for (const fact of facts.allergyLabels) {
        if (!concerns(fact, allergyGroups)) continue
        const named = fact.ingredients.split(' + ')
        if (!named.every((ingredient) => ingredients.includes(ingredient))) continue
        const known = named.find((ingredient) => found.has(`${ingredient}|${allergy.key}`))
        add(
          allergy,
          { line: item, ingredient: known ?? fact.ingredients },
          {
            level: 'medium',
            detail: fact.group,
            source: toSource(facts, 'allergy-label', {
              grade: fact.group,
              labelOf: fact.ingredients,
              sentence: quoteSentence(fact.sentence, null),
              setId: fact.setId,
              labelDate: fact.labelDate,
            }),
          },
        )
      }
    }
  }
  return [...found].map(([key, alert]) => ({
    key: `allergy:${key}`,
    kind: 'allergy',
    level: alert.level,
    isFolded: false,
    audience: 'everyone',
    effect: null,
    first: { key: alert.ingredient, items: [...alert.lines] },
    second: { key: alert.allergy.key, items: [{ kind: 'allergy', name: alert.allergy.name }] },
    detail: alert.detail,
    sources: alert.sources,
  }))
}

const isSameSource = (a: AlertSource, b: AlertSource): boolean =>
  a.list === b.list && a.labelOf === b.labelOf && a.grade === b.grade

const concerns = ({ group }: AllergyLabelFact, allergyGroups: readonly string[]): boolean =>
  groupsMeantBy(group).some((name) => allergyGroups.includes(name))
