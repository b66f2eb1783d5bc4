import type { AlertItem } from './alert.ts'
import type { ScreenedLine } from './line.ts'
import type { ScreenedMedication, ScreenedPatient } from './patient.ts'
import { joinIngredients } from './product-ingredients.ts'

/** A medicine of the case: a line, or what the patient already takes. */
export type CaseItem = {
  /** Its place in the case. */
  index: number
  item: AlertItem
  /** The line; null for what the patient takes. */
  line: ScreenedLine | null
  /** What the patient takes; null for a line. */
  medication: ScreenedMedication | null
  ingredients: readonly string[]
  /** "ABACAVIR + LAMIVUDINE". */
  set: string
  route: string | null
}

export type ScreenedCase = {
  items: readonly CaseItem[]
  /** The items that have an ingredient. */
  byIngredient: ReadonlyMap<string, readonly CaseItem[]>
}

/** The lines and what the patient takes, indexed by ingredient. */
export function toScreenedCase(lines: readonly ScreenedLine[], patient: ScreenedPatient): ScreenedCase {
  const items = [
    ...lines.map((line, index): CaseItem => ({
      index,
      item: { kind: 'line', id: line.id, name: line.name },
      line,
      medication: null,
      ingredients: line.ingredients,
      set: joinIngredients(line.ingredients),
      route: line.route,
    })),
    ...patient.medications.map((medication, index): CaseItem => ({
      index: lines.length + index,
      item: { kind: medication.source, name: medication.name },
      line: null,
      medication,
      ingredients: medication.ingredients,
      set: joinIngredients(medication.ingredients),
      route: medication.route,
    })),
  ]
  const byIngredient = new Map<string, CaseItem[]>()
  for (const item of items)
    for (const ingredient of item.ingredients) {
      const known = byIngredient.get(ingredient)
      if (known) known.push(item)
      else byIngredient.set(ingredient, [item])
    }
  return { items, byIngredient }
}

/** The items that have an ingredient, or all ingredients of a set "A + B". */
export function itemsWith({ byIngredient }: ScreenedCase, subject: string): readonly CaseItem[] {
  if (!subject.includes(' + ')) return byIngredient.get(subject) ?? []
  const [first = '', ...others] = subject.split(' + ')
  return (byIngredient.get(first) ?? []).filter(({ ingredients }) =>
    others.every((other) => ingredients.includes(other)),
  )
}

/**
 * Whether two items are to be compared: something new is among them, and they are not the same
 * medicine. What the patient already takes together is not about this order.
 */
export const isPair = (a: CaseItem, b: CaseItem): boolean =>
  a !== b && (a.line !== null || b.line !== null) && a.set !== b.set
