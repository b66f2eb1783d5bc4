import { listPrescriptions } from '#db/prescriptions/prescriptions.ts'
import type { Fill, Item } from '#domain/dispensing/fill-rules.ts'
import { isOver, type Medication } from '#domain/dispensing/medication-view.ts'
import { listedItems, toMedication } from '#domain/dispensing/medication.ts'
import { AppError } from '#domain/errors.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { readPatientNames } from '../patients/read-patients.ts'
import { requireUser } from '../require-user.ts'
import { getSettings } from '../settings/get-settings.ts'
import { readTherapy, type Therapy } from './read-therapy.ts'

/**
 * The signed-in customer's items as their page lists them, the newest first. Throws
 * UNAUTHENTICATED.
 */
export async function listMedications(ctx: Context): Promise<Medication[]> {
  const { id: userId } = requireUser(ctx)
  const { items, fills } = await readOwnTherapy(ctx, userId)
  if (items.length === 0) return []
  await recordRead(ctx, { action: 'medications.read', subjectId: userId })
  const numbers = new Map((await listPrescriptions(ctx.db, userId)).map(({ id, number }) => [id, number]))
  const { refillOpensAtPercent: opensAtPercent } = await getSettings(ctx)
  const names = items.some(({ patientId }) => patientId !== userId)
    ? await readPatientNames(ctx, userId)
    : new Map<string, string>()
  const view = (item: Item): Medication =>
    toMedication(item, fills, {
      dependantName: names.get(item.patientId) ?? null,
      now: ctx.now,
      opensAtPercent,
      number: numbers.get(item.prescriptionId) ?? null,
    })
  return listedItems(items, (item) => isOver(view(item).state))
    .map(view)
    .toReversed()
}

/** What a refill starts from: the item, and all fills that count. */
export type OwnItem = { item: Item; fills: Fill[] }

/** An item of the signed-in customer, or null when it is missing or another user's. */
export async function findOwnItem(ctx: Context, itemId: string): Promise<OwnItem | null> {
  const { id: userId } = requireUser(ctx)
  const { items, fills } = await readOwnTherapy(ctx, userId)
  const item = items.find(({ id }) => id === itemId)
  return item ? { item, fills } : null
}

/**
 * The customer's items and fills. Those that their own open checkout reserves do not count: the
 * next checkout replaces it.
 */
async function readOwnTherapy(ctx: Context, userId: string): Promise<Therapy> {
  const key = await openUserKey(ctx, userId)
  if (!key) throw new AppError('NOT_FOUND')
  const { items, fills } = await readTherapy(ctx, key, userId)
  return { items, fills: fills.filter(({ isUnordered }) => !isUnordered) }
}
