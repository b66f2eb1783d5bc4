import type { Fill, Item } from '#domain/dispensing/fill-rules.ts'
import { toMedicine, type Medicine, type MedicineSource } from '#domain/dispensing/medicine.ts'

/** Generic lisinopril, 30 tablets of 10 mg, with these changes. */
export const sourceOf = (
  variant: Partial<MedicineSource['variant']> = {},
  product: Partial<MedicineSource['product']> = {},
): MedicineSource => ({
  product: { name: 'Lisinopril', ingredients: 'Lisinopril', route: 'oral', ...product },
  variant: {
    genericName: 'Lisinopril',
    brandName: null,
    strength: '10',
    strengthUnit: 'mg',
    labelStrength: '10 mg',
    dosageForm: 'tablet',
    labelForm: 'TABLET',
    packageSize: 30,
    packageUnit: 'tablet',
    ...variant,
  },
})

export const lisinopril: Medicine = toMedicine(sourceOf())

/** 30 tablets for 30 days with two refills, written on January 2, 2026. */
export const itemOf = (changes: Partial<Item> = {}): Item => ({
  id: 'item',
  prescriptionId: 'prescription',
  status: 'active',
  version: 1,
  patientId: 'patient',
  medicine: lisinopril,
  dispenseAsWritten: null,
  unitsPerFill: 30,
  daysSupply: 30,
  directions: 'Take 1 tablet by mouth daily',
  refills: 2,
  writtenOn: '2026-01-02',
  validUntil: null,
  prescriberName: 'Dr. Natarajan',
  closedReason: null,
  agreements: [],
  ...changes,
})

/** A fill of that item that was dispensed on January 5, 2026. */
export const fillOf = (changes: Partial<Fill> = {}): Fill => ({
  id: 'fill',
  itemId: 'item',
  lineId: 'earlier line',
  status: 'dispensed',
  dispensedAt: new Date('2026-01-05T09:00:00Z'),
  isUnordered: false,
  units: 30,
  daysSupply: 30,
  ingredientSet: lisinopril.ingredientSet,
  ...changes,
})
