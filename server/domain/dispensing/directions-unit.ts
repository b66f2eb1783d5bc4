import type { DosageForm } from '../catalog/catalog.ts'
import { parseDirections } from './parse-directions.ts'
import type { SigUnitName } from './sig-codes.ts'

/** Units of a strength, which says nothing about the form. */
const strengthUnits: ReadonlySet<SigUnitName> = new Set(['mg', 'mcg', 'g'])

/**
 * Why directions cannot be for a medicine of this form; null when they can. "Tablet" for a capsule
 * is a wrong word on the label, or the wrong medicine: some have another salt in each form. Only
 * the first dose counts, or the one right beside its strength: a later one can be of another
 * medicine.
 */
export function findUnitProblem(directions: string, form: DosageForm | null): string | null {
  // "1 (one) tablet"
  const parts = parseDirections(directions.replaceAll(/[()]/g, ' '))
  const isDose = (at: number): boolean => parts[at]?.kind === 'dose'
  const isStrength = (at: number): boolean => {
    const part = parts[at]
    return part?.kind === 'unit' && strengthUnits.has(part.unit) && isDose(at - 1)
  }
  const [unit] = parts.flatMap((part, at) => {
    // "1 (500 mg) tablet"
    if (part.kind !== 'unit' || !(isDose(at - 1) || isStrength(at - 1))) return []
    // "500 mg (1 tab)"
    return isStrength(at) && (isDose(at + 1) || parts[at + 1]?.kind === 'unit') ? [] : [part.unit]
  })
  return (form === 'tablet' && unit === 'capsule') || (form === 'capsule' && unit === 'tablet')
    ? `The directions say ${unit}, but this medicine is a ${form}. Correct the directions or choose another medicine.`
    : null
}
