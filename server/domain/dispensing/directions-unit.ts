import type { DosageForm } from '../catalog/catalog.ts'
import { parseDirections } from './parse-directions.ts'

/**
 * Why directions cannot be for a medicine of this form; null when they can. Tablets of a capsule
 * are a wrong word on the label, or the wrong medicine: some have another salt in each form. Only
 * the first dose counts, because a later one can be of another medicine.
 */
export function findUnitProblem(directions: string, form: DosageForm | null): string | null {
  const parts = parseDirections(directions)
  const [unit] = parts.flatMap((part, at) =>
    part.kind === 'unit' && parts[at - 1]?.kind === 'dose' ? [part.unit] : [],
  )
  return (form === 'tablet' && unit === 'capsule') || (form === 'capsule' && unit === 'tablet')
    ? `The directions say ${unit}, but this medicine is a ${form}. Correct the directions or choose another medicine.`
    : null
}
