import {
  unknownAge,
  type Alert,
  type AlertItem,
  type AlertKind,
  type AlertLevel,
  type AlertSource,
} from './alert.ts'
import { toSource } from './alert-source.ts'
import { ageOn, concernsAge, concernsElderly, elderlyFrom } from './age.ts'
import type { LabelSafetyFact, ScreeningFacts } from './facts.ts'
import type { ScreenedLine } from './line.ts'
import type { ScreenedPatient } from './patient.ts'
import { quoteSentence } from './quote.ts'
import { joinIngredients } from './product-ingredients.ts'
import type { ScreenedCase } from './screened-case.ts'

/** What a label says about the patient; null when the record says that it does not concern them. */
type Concern = { level: AlertLevel; fact: string; detail?: string } | null

/**
 * What the labels of the lines' ingredients warn of: boxed warnings, pregnancy, age, REMS,
 * Medication Guide. It is information, and high where the patient's record matches.
 */
export function checkLabels(
  { items }: ScreenedCase,
  patient: ScreenedPatient,
  facts: ScreeningFacts,
  today: string,
): Alert[] {
  const labels = new Map(facts.labelSafety.map((label) => [label.ingredients, label]))
  const boxed = new Map(facts.boxedWarnings.map(({ key, warning }) => [key, warning]))
  const alerts = new Map<string, Alert>()
  const add = (
    kind: AlertKind,
    set: string,
    line: AlertItem,
    concern: Concern,
    source: AlertSource,
    suffix = '',
  ): void => {
    if (concern === null) return
    const key = `${kind}:${set}${suffix}`
    const known = alerts.get(key)
    alerts.set(key, {
      key,
      kind,
      level: known?.level === 'high' ? 'high' : concern.level,
      isFolded: false,
      audience: 'everyone',
      effect: null,
      first: { key: set, items: [...new Set([...(known?.first.items ?? []), line])] },
      second: concern.fact ? { key: '', items: [{ kind: 'patient', name: concern.fact }] } : null,
      detail: concern.detail ?? '',
      sources: known?.sources.some((other) => isSameSource(other, source))
        ? known.sources
        : [...(known?.sources ?? []), source],
    })
  }

  const age = ageOn(patient.birthDate, today)
  const pregnant = concernOfPregnancy(patient)
  for (const { line, item } of items) {
    if (line === null) continue
    const box = findBox(line, boxed)
    if (box) {
      const source = toSource(facts, 'boxed-warnings', { sentence: box.warning })
      add('boxed-warning', joinIngredients(line.ingredients), item, informs, source)
    }
    for (const label of labelsOf(line, labels)) {
      const from = (grade: string, text: string | null): AlertSource =>
        toSource(facts, 'label-safety', {
          grade,
          labelOf: label.ingredients,
          sentence: text,
          setId: label.setId,
          labelDate: label.labelDate,
        })
      const set = label.ingredients
      if (box === undefined && label.boxedWarning !== null)
        add('boxed-warning', set, item, informs, from('Boxed warning', label.boxedWarning))
      for (const [text, grade] of [
        [label.pregnancyContraindicated, 'Contraindications'],
        [label.pregnancyBoxed, 'Boxed warning'],
      ] as const)
        if (text !== null) add('pregnancy', set, item, pregnant, from(grade, quoteSentence(text, 'pregnan')))
      if (label.ageWarning !== null) {
        const source = from('Children', quoteSentence(label.ageWarning, null))
        add('age', set, item, concernOfChild(label.ageWarning, age), source)
      }
      if (label.elderlyWarning !== null) {
        const source = from('Older adults', quoteSentence(label.elderlyWarning, null))
        // The warnings of a label about children and about older adults are two alerts.
        add('age', set, item, concernOfElderly(label.elderlyWarning, age), source, ' 65+')
      }
      if (label.hasRems) add('rems', set, item, informs, from('REMS', null))
      if (label.hasMedicationGuide)
        add('medication-guide', set, item, informs, from('Medication Guide', null))
    }
  }
  return [...alerts.values()]
}

const informs: Concern = { level: 'information', fact: '' }

const concernsUnknown: Concern = { ...informs, detail: unknownAge }

const isSameSource = (a: AlertSource, b: AlertSource): boolean =>
  a.list === b.list && a.labelOf === b.labelOf && a.grade === b.grade

/** The label of exactly this set, else those of its ingredients. */
function labelsOf(line: ScreenedLine, labels: ReadonlyMap<string, LabelSafetyFact>): LabelSafetyFact[] {
  const exact = labels.get(joinIngredients(line.ingredients))
  if (exact) return [exact]
  return line.ingredients.flatMap((ingredient) => labels.get(ingredient) ?? [])
}

/**
 * The boxed warning of the line's own application, else of its set where all applications agree.
 * Undefined when neither was read; null when they were read and have none.
 */
function findBox(
  line: ScreenedLine,
  boxed: ReadonlyMap<string, string | null>,
): { warning: string } | null | undefined {
  const { applicationNumber } = line
  const key =
    applicationNumber !== null && boxed.has(applicationNumber)
      ? applicationNumber
      : joinIngredients(line.ingredients)
  const warning = boxed.get(key)
  return warning === undefined ? undefined : warning === null ? null : { warning }
}

const concernOfPregnancy = ({ pregnant }: ScreenedPatient): Concern =>
  pregnant === null ? informs : pregnant ? { level: 'high', fact: 'pregnant' } : null

/** A text that was cut after its limit of age may go on about older children. */
function concernOfChild(sentence: string, age: ReturnType<typeof ageOn>): Concern {
  if (age === null) return concernsUnknown
  if (concernsAge(sentence, age)) return { level: 'high', fact: ageText(age) }
  return age.years < 18 && sentence.endsWith('…') ? informs : null
}

function concernOfElderly(text: string, age: ReturnType<typeof ageOn>): Concern {
  if (age === null) return concernsUnknown
  if (age.years < elderlyFrom) return null
  return concernsElderly(text) ? { level: 'high', fact: ageText(age) } : informs
}

const ageText = ({ years, days }: { years: number; days: number }): string =>
  years >= 2 ? `${years} years old` : `${Math.floor(days / 30.4375)} months old`
