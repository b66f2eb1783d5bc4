import type { FillRow } from '#db/dispensing/fills.ts'
import type { ItemRow } from '#db/dispensing/items.ts'
import { utcDay } from '#domain/days.ts'
import {
  fillsOfPatient,
  lastValidDay,
  nextFillDay,
  refillsLeft,
  remainingUnits,
  type Fill,
  type Item,
} from '#domain/dispensing/fill-rules.ts'
import type { CaseFill, CaseItem } from '#domain/dispensing/case-prescription.ts'
import { findSupplyMismatch } from '#domain/dispensing/supply-mismatch.ts'

/** What the parts of a case share. */
export type CaseParts = {
  /** Names of staff by id. */
  names: ReadonlyMap<string, string>
  /** "Rx 000123" by prescription. */
  numbers: ReadonlyMap<string, string>
  /** All items and fills of the patient. */
  therapy: { items: readonly Item[]; fills: readonly Fill[] }
  settings: { refillOpensAtPercent: number }
  /** Names of the customer's dependants by id. */
  dependants: ReadonlyMap<string, string>
  now: Date
}

/** A staff member's name, or a description when their account was deleted. */
export const staffName = (names: ReadonlyMap<string, string>, id: string): string =>
  names.get(id) ?? 'a former pharmacist'

export function toCaseItem(
  row: Pick<ItemRow, 'transcribedBy' | 'updatedAt'>,
  item: Item,
  { names, numbers, therapy: { fills }, settings, now }: CaseParts,
): CaseItem {
  const { patientId: _, ...content } = item
  const { directions, unitsPerFill: units, daysSupply, medicine } = item
  const validThrough = lastValidDay(item)
  return {
    ...content,
    agreements: item.agreements.map((agreement) => ({ ...agreement, by: staffName(names, agreement.by) })),
    ...(item.closed && { closed: { ...item.closed, by: staffName(names, item.closed.by) } }),
    rxNumber: numbers.get(item.prescriptionId) ?? '',
    validThrough,
    isExpired: validThrough < utcDay(now),
    remainingUnits: remainingUnits(item, fills),
    refillsLeft: refillsLeft(item, fills),
    nextFillOn: nextFillDay(
      item.medicine.ingredientSet,
      fillsOfPatient(item, fills),
      settings.refillOpensAtPercent,
    ),
    supplyMismatch: findSupplyMismatch({ directions, units, unit: medicine.unit, daysSupply }),
    transcribedBy: names.get(row.transcribedBy) ?? null,
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function toCaseFill(
  row: FillRow,
  fill: Fill,
  { names, numbers, therapy, dependants }: CaseParts,
): CaseFill[] {
  const item = therapy.items.find(({ id }) => id === fill.itemId)
  if (!item) return []
  return [
    {
      id: fill.id,
      itemId: fill.itemId,
      dependantName: dependants.get(item.patientId) ?? null,
      rxNumber: numbers.get(item.prescriptionId) ?? '',
      medicine: item.medicine,
      orderId: row.orderId,
      lineId: fill.lineId,
      units: fill.units,
      daysSupply: fill.daysSupply,
      status: fill.status,
      createdAt: row.createdAt.toISOString(),
      dispensedAt: row.dispensedAt?.toISOString() ?? null,
      pharmacist: row.pharmacistId === null ? null : staffName(names, row.pharmacistId),
    },
  ]
}
