import { yesOrNoLabels } from '#domain/patients/patient-labels.ts'
import type { ListView, RecordView } from '#domain/patients/patient-view.ts'
import type { ReactNode } from 'react'
import { formatDay } from '../orders/order-labels.ts'

/** A patient's record as staff read it. */

/**
 * The list, or that there are none; null when it is not answered. A text that names an allergy is
 * shown beside that answer. One that says "none" agrees with it.
 */
export function allergyFacts({ noKnownAllergies, allergies }: RecordView): ReactNode {
  if (!noKnownAllergies) return listFacts(allergies)
  const agrees = allergies.saysNone && allergies.recognized.length === 0
  return (
    <>
      No known allergies
      {agrees ? null : listFacts(allergies)}
    </>
  )
}

/** A list with what the patient's text says beside it; null when there is neither. */
export function listFacts({ entries, recognized, notChecked }: ListView): ReactNode {
  const unchecked = [
    ...entries.filter(({ isUnchecked }) => isUnchecked).map(({ name }) => name),
    ...notChecked,
  ]
  const listed = entries.filter(({ isUnchecked }) => !isUnchecked)
  if (listed.length + recognized.length + unchecked.length === 0) return null
  return (
    <>
      {listed.map(({ id, name, detail }) => (
        <span key={id} className="block">
          {name}
          {detail ? ` (${detail})` : ''}
        </span>
      ))}
      {recognized.map(({ label, meaning }) => (
        <span key={meaning} className="block">
          {label} (recognized in the text, not confirmed)
        </span>
      ))}
      {unchecked.map((name) => (
        <span key={name} className="block font-medium text-warning">
          Not checked: {name}
        </span>
      ))}
    </>
  )
}

/** What was answered about pregnancy and breastfeeding; none when nothing was. */
export const pregnancyFacts = ({ pregnancy }: RecordView): { name: string; text: string | null }[] =>
  pregnancy?.pregnant || pregnancy?.breastfeeding
    ? (['pregnant', 'breastfeeding'] as const).map((name) => ({
        name: name === 'pregnant' ? 'Pregnant' : 'Breastfeeding',
        text:
          pregnancy[name] &&
          `${yesOrNoLabels[pregnancy[name]]}${pregnancy.answeredOn ? `, ${formatDay(pregnancy.answeredOn)}` : ''}`,
      }))
    : []
