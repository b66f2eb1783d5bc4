import { findAuditedObject } from '#db/audit/audit.ts'
import { findOrderHold } from '#db/orders/payment-holds.ts'
import type { AuditAction } from '#domain/audit/audit.ts'
import { utcDay } from '#domain/days.ts'
import { clearInputSchema, transcriptionInputSchema } from '#domain/dispensing/case-inputs.ts'
import { lastMessageIdOf } from '#domain/messages/messages.ts'
import { paths } from '#domain/paths.ts'
import { processHold } from '../checkout/process-holds.ts'
import type { Context } from '../context.ts'
import { decidePrescription } from '../prescriptions/decide-prescription.ts'
import { askAboutLine } from '../reviews/ask-about-line.ts'
import { clearLine } from '../reviews/clear-line.ts'
import { getCase } from '../reviews/get-case.ts'
import { refuseLine } from '../reviews/refuse-line.ts'
import { saveTranscription } from '../reviews/save-transcription.ts'
import { writtenOn, type DemoPrescription } from './demo-prescriptions.ts'

/** What a pharmacist does in the demo. The context's request id names the step, which runs once. */

type Case = { patientId: string; orderId: string }

/** Whether the step that this context names was done at an earlier start. */
const isDone = async (
  { db, requestId }: Context,
  { patientId: subjectId }: Case,
  action: AuditAction,
): Promise<boolean> => (await findAuditedObject(db, { subjectId, action, requestId })) !== null

const step = (ctx: Context, name: string): Context => ({ ...ctx, requestId: `${ctx.requestId}-${name}` })

/** Transcribes the order's prescription, and approves it by that. */
export async function transcribeOnce(
  pharmacist: Context,
  place: Case,
  prescription: DemoPrescription,
  accountCreatedAt: Date,
): Promise<void> {
  const ctx = step(pharmacist, 'transcribed')
  if (await isDone(ctx, place, 'prescription.transcribed')) return
  const { prescriptions } = await getCase(ctx, place.orderId)
  const [uploaded] = prescriptions
  // A customer of an earlier demo version may have deleted it.
  if (!uploaded || uploaded.items.length > 0) return
  const { prescriber, patient, medicines } = prescription
  await saveTranscription(
    ctx,
    transcriptionInputSchema.parse({
      prescriptionId: uploaded.id,
      version: uploaded.version,
      caseId: place.orderId,
      patientName: patient.name,
      prescriberName: prescriber.name,
      ...('npi' in prescriber
        ? { npi: prescriber.npi }
        : { license: prescriber.license, jurisdiction: prescriber.jurisdiction }),
      prescriberPhone: prescriber.phone,
      writtenOn: utcDay(writtenOn(prescription, accountCreatedAt)),
      authentication: {
        method: 'contacted',
        note: `${prescriber.clinic} confirmed it. The number is from the state board’s register.`,
      },
      items: medicines.map(({ variantId, units, daysSupply, refills, sig }) => ({
        variantId,
        units,
        daysSupply,
        refills,
        directions: sig,
      })),
    }),
  )
}

/** Clears the first waiting line of an order on the item that covers it. */
export async function clearOnce(pharmacist: Context, place: Case): Promise<void> {
  const ctx = step(pharmacist, 'cleared')
  if (await isDone(ctx, place, 'order.line-cleared')) return
  const { lines } = await getCase(ctx, place.orderId)
  const line = lines.find(({ status }) => status === 'waiting')
  const candidate = line?.candidates.find(({ isPossible }) => isPossible)
  if (!line || !candidate) return
  const { itemId, itemVersion } = candidate
  await clearLine(
    ctx,
    clearInputSchema.parse({ lineId: line.id, version: line.version, itemId, itemVersion }),
  )
}

/** Captures or voids what the pharmacist's decisions asked for, as the job does. */
export async function settlePayment(ctx: Context, orderId: string): Promise<void> {
  const hold = await findOrderHold(ctx.db, orderId)
  if (hold?.status === 'capturing' || hold?.status === 'voiding') await processHold(ctx, hold)
}

export async function askOnce(pharmacist: Context, place: Case, question: string): Promise<void> {
  const ctx = step(pharmacist, 'asked')
  if (await isDone(ctx, place, 'order.line-asked')) return
  const {
    lines: [line],
    threads,
  } = await getCase(ctx, place.orderId)
  const lastMessageId = lastMessageIdOf(threads.find(({ subjectId }) => subjectId === place.orderId))
  if (line?.status === 'waiting')
    await askAboutLine(ctx, { lineId: line.id, version: line.version, lastMessageId, question })
}

/** Refuses the order's prescription line, and rejects the prescription for the same reason. */
export async function refuseOnce(pharmacist: Context, place: Case, reason: string): Promise<void> {
  const refusing = step(pharmacist, 'refused')
  const rejecting = step(pharmacist, 'rejected')
  if (await isDone(rejecting, place, 'prescription.decided')) return
  const { lines, prescriptions } = await getCase(refusing, place.orderId)
  const line = lines.find(({ status }) => status === 'waiting')
  if (line) await refuseLine(refusing, { lineId: line.id, version: line.version, reason })
  const [prescription] = prescriptions
  if (prescription?.status !== 'under_review') return
  const link = rejecting.shop.publicOrigin + paths.prescriptions
  await decidePrescription(rejecting, prescription.id, { status: 'rejected', statusReason: reason }, { link })
}
