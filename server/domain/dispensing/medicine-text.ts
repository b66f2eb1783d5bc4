import type { Medicine } from './medicine.ts'

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
  unitText(2, unit) + (pack === null ? '' : ` of ${pack}`)

/** The directory's words for the form, which state the release; else our own. */
export const formText = ({ formText, form }: Medicine): string => (formText ?? form ?? '').toLowerCase()

/** "30 tablets", or "2 packs of 60 g". */
export const amountText = (units: number, { unit, pack }: Pick<Medicine, 'unit' | 'pack'>): string =>
  `${units.toLocaleString('en-US')} ${unitText(units, unit)}${pack === null ? '' : ` of ${pack}`}`

/** The unit for a number of them: "tablets". mL has no plural. */
export const unitText = (units: number, unit: string): string =>
  units === 1 || unit === 'mL' ? unit : unit === 'patch' ? 'patches' : `${unit}s`
