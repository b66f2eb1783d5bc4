import type { Db } from '#db/engine/client.ts'
import { replacePharmacistLicense } from '#db/accounts/pharmacist-licenses.ts'
import { alertDecisionInputSchema } from '#domain/alerts/alert-decision-schema.ts'
import { undecidedAlerts } from '#domain/alerts/case-alert.ts'
import {
  clearInputSchema,
  transcriptionInputSchema,
  type ClearInput,
  type TranscriptionInput,
} from '#domain/dispensing/case-inputs.ts'
import type { CaseLine } from '#domain/dispensing/case-line.ts'
import type { CasePrescription } from '#domain/dispensing/case-prescription.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import type { Context } from '#server/context.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { decideAlert } from '#server/reviews/decide-alert.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { saveTranscription } from '#server/reviews/save-transcription.ts'
import { makeUser } from './accounts.ts'
import { testDay } from './catalog.ts'
import { signedIn, testContext } from './context.ts'

/** A number with the right check digit that is not in use. */
export const testNpi = '1993999998'

/** A pharmacist with a recorded license, by default named Dana Fox. Returns their context. */
export async function addPharmacist(
  db: Db,
  { firstName = 'Dana', lastName = 'Fox', now = testDay, isLicensed = true } = {},
): Promise<Context> {
  const id = await makeUser(db, { firstName, lastName, roles: ['pharmacist'] })
  if (isLicensed) {
    const license = { userId: id, number: 'RPH-0147', jurisdiction: 'OR', recordedBy: id, recordedAt: now }
    await replacePharmacistLicense(db, license, null)
  }
  return testContext(db, { now, user: signedIn(id, { roles: ['pharmacist'], firstName, lastName }) })
}

/** Answers what clearing asks of a patient: a birth date and allergies. */
export const answerHealthQuestions = async (
  db: Db,
  userId: string,
  overrides: Partial<Context> = {},
): Promise<void> => {
  await updateProfile(testContext(db, { user: signedIn(userId), ...overrides }), {
    dateOfBirth: '1980-01-06',
    allergies: 'No known allergies',
  })
}

/** A prescription as its case shows it, with what it may be a copy of. */
type ShownPrescription = Pick<CasePrescription, 'id' | 'version'> &
  Partial<Pick<CasePrescription, 'possibleDuplicates'>>

/**
 * The fields of a transcription as a form sends them: by default 48 units for 30 days, 2 refills.
 */
export const transcriptionOf = (
  prescription: ShownPrescription,
  variantIds: readonly string[],
  {
    items,
    ...overrides
  }: Omit<Record<string, unknown>, 'items'> & { items?: Record<string, unknown>[] } = {},
): Record<string, unknown> => ({
  prescriptionId: prescription.id,
  version: prescription.version,
  duplicatesSeen: (prescription.possibleDuplicates ?? []).map(({ prescriptionId }) => prescriptionId),
  patientName: 'Zoë O’Hara',
  prescriberName: 'Ada Quillfeather, MD',
  npi: testNpi,
  writtenOn: '2026-01-02',
  authentication: { method: 'prescriber', note: 'Fax from the practice, number from the state board' },
  items: variantIds.map((variantId, at) => ({
    variantId,
    units: '48',
    daysSupply: '30',
    refills: '2',
    directions: '1 tab po bid',
    ...items?.[at],
  })),
  ...overrides,
})

/** Transcribes a prescription through the use case. */
export const transcribe = (
  ctx: Context,
  prescription: ShownPrescription,
  variantIds: readonly string[],
  overrides?: Parameters<typeof transcriptionOf>[2],
): Promise<ReviewCase> =>
  saveTranscription(ctx, parseTranscription(transcriptionOf(prescription, variantIds, overrides)))

export const parseTranscription = (fields: Record<string, unknown>): TranscriptionInput =>
  transcriptionInputSchema.parse(fields)

/** The input that clears a line on its first candidate. */
export const clearInputOf = (
  { id: lineId, version, candidates }: CaseLine,
  overrides: Record<string, unknown> = {},
): ClearInput =>
  clearInputSchema.parse({
    lineId,
    version,
    itemId: candidates[0]?.itemId ?? '',
    itemVersion: candidates[0]?.itemVersion ?? 0,
    ...overrides,
  })

/**
 * Has a pharmacist transcribe what an order's lines need and clear each of them, through the use
 * cases. Captures as they do. Returns the case.
 */
export async function clearOrder(db: Db, orderId: string, { now = testDay } = {}): Promise<ReviewCase> {
  const pharmacist = await addPharmacist(db, { now })
  let current = await getCase(pharmacist, orderId)
  const { patient } = current
  if (patient.dateOfBirth === null || patient.allergies === null) await answerHealthQuestions(db, patient.id)
  const uncovered = current.lines.filter(({ candidates }) => !candidates.some(({ isPossible }) => isPossible))
  for (const prescription of current.prescriptions) {
    const lines = uncovered.filter(({ prescriptionId }) => prescriptionId === prescription.id)
    if (lines.length === 0) continue
    const variantIds = lines.map(({ variantId }) => variantId)
    const items = lines.map(({ units }) => ({ units: units ?? 1 }))
    const writtenOn = now.toISOString().slice(0, 10)
    await transcribe(pharmacist, prescription, variantIds, { items, writtenOn, patientName: patient.name })
  }
  for (const { id } of current.lines) {
    current = await getCase(pharmacist, orderId)
    const line = current.lines.find((candidate) => candidate.id === id)
    if (!line || (line.status !== 'waiting' && line.status !== 'asked')) continue
    for (const alert of undecidedAlerts(current.screening?.alerts ?? [], id)) {
      const decision = { lineId: id, version: line.version, alertId: alert.id, choice: 'told-patient' }
      current = await decideAlert(pharmacist, alertDecisionInputSchema.parse(decision))
    }
    const decisions = { destinationNote: 'Checked', earlyNote: 'Checked' }
    current = await clearLine(pharmacist, clearInputOf(line, decisions))
  }
  return current
}
