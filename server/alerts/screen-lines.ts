import { utcDay } from '#domain/days.ts'
import { fillsOfPatient, nextFillDay, type Fill, type Item } from '#domain/dispensing/fill-rules.ts'
import type { Screening } from '#domain/screening/alert.ts'
import { lastDayOf, type DispensedFill } from '#domain/screening/dispensed.ts'
import { unknownPatient, type ScreenedPatient } from '#domain/screening/patient.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import type { Therapy } from '../dispensing/read-therapy.ts'
import { readPatient, type Patient } from '../patients/read-patients.ts'
import { readScreenedPatient } from '../patients/read-screened-patient.ts'
import { screenCase, type LineToScreen } from '../screening/screen-case.ts'
import { getSettings } from '../settings/get-settings.ts'

/** A screening, with whose it is and whether anything that it compares is on record about them. */
export type CustomerScreening = Screening & {
  /** Null for the customer. */
  dependantName: string | null
  hasRecord: boolean
}

type Lines = {
  /** Null for a visitor, of whom nothing is known. */
  userId: string | null
  /** The customer, or the dependant who takes the medicines. */
  patientId: string | null
  lines: readonly LineToScreen[]
  therapy: Therapy
}

/**
 * What the lists say about lines for a patient: with each other, with the medications and allergies
 * on record, with what was dispensed, and with what is in another order that has not shipped.
 * Unrecorded: the caller writes the audit row.
 * @param key the customer's; null for a visitor
 */
export async function screenLines(
  ctx: Pick<Context, 'db' | 'now' | 'shop'>,
  key: KeyRing | null,
  { userId, patientId, lines, therapy }: Lines,
): Promise<CustomerScreening> {
  const { refillOpensAtPercent, turnedDownAlerts } = await getSettings(ctx)
  const found = await findPatient(ctx, key, userId, patientId)
  const patient = found ? await readScreenedPatient(ctx, found) : unknownPatient
  const dispensed = listDispensed(therapy, {
    patientId,
    today: utcDay(ctx.now),
    lineIds: new Set(lines.map(({ id }) => id)),
    opensAtPercent: refillOpensAtPercent,
  })
  const screening = await screenCase(ctx, { lines, patient, dispensed, turnedDown: turnedDownAlerts })
  return {
    ...screening,
    dependantName: found && !found.isSelf ? found.name : null,
    hasRecord: dispensed.length > 0 || isOnRecord(patient),
  }
}

const findPatient = async (
  ctx: Pick<Context, 'db'>,
  key: KeyRing | null,
  userId: string | null,
  patientId: string | null,
): Promise<Patient | null> =>
  key === null || userId === null || patientId === null ? null : readPatient(ctx, key, { userId, patientId })

const isOnRecord = ({ medications, allergies, pregnant }: ScreenedPatient): boolean =>
  medications.length > 0 || allergies.length > 0 || pregnant === true

/**
 * What a patient has from the pharmacy, and what other orders that have not shipped will bring: of
 * each item the supply that lasts longest.
 * @param lineIds the lines that are screened, whose own fills are no other supply
 */
function listDispensed(
  { items, fills }: Therapy,
  {
    patientId,
    ...rules
  }: { patientId: string | null; today: string; lineIds: ReadonlySet<string>; opensAtPercent: number },
): DispensedFill[] {
  return items
    .filter((item) => item.patientId === patientId)
    .flatMap((item) => {
      const own = fills.filter(({ itemId }) => itemId === item.id)
      const supplies = own.flatMap((fill) => toSupply(item, fill, fills, rules) ?? [])
      return supplies.toSorted((a, b) => lastDayOf(b).localeCompare(lastDayOf(a))).slice(0, 1)
    })
}

/** Null for a fill that left nothing with the patient and will not, as far as is known. */
function toSupply(
  item: Item,
  { status, dispensedAt, isUnordered, lineId, daysSupply }: Fill,
  fills: readonly Fill[],
  { today, lineIds, opensAtPercent }: { today: string; lineIds: ReadonlySet<string>; opensAtPercent: number },
): DispensedFill | null {
  const isOrdered = (status === 'reserved' || status === 'cleared') && !isUnordered && !lineIds.has(lineId)
  const dispensedOn = status === 'dispensed' && dispensedAt ? utcDay(dispensedAt) : isOrdered ? today : null
  if (dispensedOn === null) return null
  const { id: itemId, medicine } = item
  return {
    name: [medicine.brandName ?? medicine.substances, medicine.strength].filter(Boolean).join(' '),
    itemId,
    ingredients: medicine.ingredientSet,
    substances: medicine.substances,
    route: medicine.route,
    strength: medicine.strength,
    dispensedOn,
    isOrdered,
    daysSupply,
    refillsFrom: isOrdered
      ? null
      : nextFillDay(medicine.ingredientSet, fillsOfPatient(item, fills), opensAtPercent),
  }
}
