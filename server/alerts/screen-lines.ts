import { nextFill } from '#domain/dispensing/fill-rules.ts'
import { utcDay } from '#domain/prescriptions/prescriptions.ts'
import type { Screening } from '#domain/screening/alert.ts'
import type { DispensedFill } from '#domain/screening/dispensed.ts'
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
 * on record, and with what was dispensed. Unrecorded: the caller writes the audit row.
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
  const dispensed = listDispensed(therapy, { patientId, opensAtPercent: refillOpensAtPercent })
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

/** What left the pharmacy for a patient: the last fill of each item. */
function listDispensed(
  { items, fills }: Therapy,
  { patientId, opensAtPercent }: { patientId: string | null; opensAtPercent: number },
): DispensedFill[] {
  return items.flatMap((item): DispensedFill[] => {
    const { id: itemId, medicine } = item
    const last = fills
      .filter((fill) => fill.itemId === itemId && fill.status === 'dispensed')
      .toSorted((a, b) => Number(b.dispensedAt) - Number(a.dispensedAt))[0]
    if (!last?.dispensedAt || item.patientId !== patientId) return []
    return [
      {
        name: [medicine.brandName ?? medicine.substances, medicine.strength].filter(Boolean).join(' '),
        itemId,
        ingredients: medicine.ingredientSet,
        route: medicine.route,
        strength: medicine.strength,
        dispensedOn: utcDay(last.dispensedAt),
        daysSupply: last.daysSupply,
        refillsFrom: nextFill(medicine.ingredientSet, fills, opensAtPercent).day,
      },
    ]
  })
}
