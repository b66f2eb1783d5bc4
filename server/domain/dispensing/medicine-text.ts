import type { Medicine } from './medicine.ts'
import { pluralUnit } from './quantity.ts'

/** "Lisinopril 10 mg tablet", or "Lisinopril (Zestril) 10 mg tablet". */
export const medicineText = (medicine: Medicine): string =>
  [
    medicine.substances,
    medicine.brandName && `(${medicine.brandName})`,
    medicine.strength,
    formText(medicine),
  ]
    .filter(Boolean)
    .join(' ')

/** With all that can differ: "Betamethasone 0.05 % cream, topical, in packs of 60 g". */
export const identityText = (medicine: Medicine): string =>
  [medicineText(medicine), medicine.route, `in ${unitsText(medicine)}`].filter(Boolean).join(', ')

/** "tablets", or "packs of 60 g". */
export const unitsText = ({ unit, pack }: Pick<Medicine, 'unit' | 'pack'>): string =>
  [pluralUnit(unit), pack].filter(Boolean).join(' of ')

/** The directory's words for the form, which state the release; else our own. */
export const formText = ({ formText, form }: Pick<Medicine, 'formText' | 'form'>): string =>
  (formText ?? form ?? '').toLowerCase()
