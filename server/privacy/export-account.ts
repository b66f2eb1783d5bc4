import { listFills } from '#db/dispensing/fills.ts'
import { listItems } from '#db/dispensing/items.ts'
import { listLineReviews } from '#db/dispensing/line-reviews.ts'
import { listUserGridSettings } from '#db/grids/grid-settings.ts'
import { listUserGridViews } from '#db/grids/grid-views.ts'
import { listUserThreads } from '#db/messages/messages.ts'
import { listAllSessions } from '#db/accounts/personal-data.ts'
import { findSecurityFields } from '#db/accounts/credentials.ts'
import { AppError } from '#domain/errors.ts'
import { fileExtensions } from '#domain/files/files.ts'
import { decimalFromCents } from '#domain/money.ts'
import type { OrderLine } from '#domain/orders/orders.ts'
import type { PatientRecord } from '#domain/patients/patient-record.ts'
import { makeZip } from 'client-zip'
import { streamActivity } from '../accounts/list-activity.ts'
import { readAlertDecisions } from '../alerts/alert-decisions.ts'
import { recordRead } from '../audit/record-audit.ts'
import { getCart } from '../cart/get-cart.ts'
import type { Context } from '../context.ts'
import { readDecision, readFill, readItem } from '../dispensing/item-reader.ts'
import { readLabelChoices } from '../dispensing/label-choices.ts'
import { openOriginalFile, type OpenedFile } from '../files/open-file.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openThreads } from '../messages/read-threads.ts'
import { listNotices } from '../recalls/list-order-recalls.ts'
import { streamUserOrders } from '../orders/list-orders.ts'
import { listNotesOn } from '../orders/list-notes.ts'
import { readAllPrescriptions } from '../prescriptions/prescription-reader.ts'
import { bindings } from '../crypto/bindings.ts'
import { unseal } from '../crypto/sealing.ts'
import { readPatients } from '../patients/read-patients.ts'
import { openAddresses } from '../accounts/list-addresses.ts'
import { openPerson, type Person } from '../accounts/get-profile.ts'
import { findUser } from '../accounts/find-user.ts'
import { wantsReminders } from '../reminders/set-reminders.ts'
import { requireUser } from '../require-user.ts'

type StoredPrescription = Awaited<ReturnType<typeof readAllPrescriptions>>[number]
type ExportedData = {
  person: Person
  prescriptions: Omit<StoredPrescription, 'fileId'>[]
  /** The files by their names in the zip, without the extension, which follows from the type. */
  documents: { name: string; fileId: string }[]
}

/**
 * Exports everything the shop stores about the signed-in user, as a zip that is created while it is
 * read: `account.json` and the original files. The export is audited before the first byte. Only
 * one chunk of one file is in memory at a time. Throws UNAUTHENTICATED.
 */
export async function exportAccount(ctx: Context): Promise<ReadableStream<Uint8Array>> {
  const { id } = requireUser(ctx)
  const user = await findUser(ctx, id)
  if (!user) throw new AppError('UNAUTHENTICATED')
  const { row, key } = user
  await recordRead(ctx, { action: 'account.exported', subjectId: id })
  const prescriptions = await readAllPrescriptions(ctx, key, id)
  return makeZip(
    zipEntries(ctx, key, {
      person: openPerson(key, row),
      prescriptions: prescriptions.map(({ fileId: _fileId, ...prescription }) => prescription),
      documents: [
        ...(row.idDocumentFileId === null ? [] : [{ name: 'id-document', fileId: row.idDocumentFileId }]),
        ...prescriptions.map(({ id, fileId }) => ({ name: `prescriptions/${id}`, fileId })),
      ],
    }),
  )
}

async function* zipEntries(ctx: Context, key: KeyRing, exported: ExportedData) {
  const lastModified = ctx.now
  yield { name: 'account.json', lastModified, input: accountJson(ctx, key, exported) }
  const missing: string[] = []
  for (const { name, fileId } of exported.documents) {
    const file = await openOrNull(ctx, fileId, exported.person.id)
    if (file) yield { name: `${name}.${fileExtensions[file.contentType]}`, lastModified, input: file.stream }
    else missing.push(name)
  }
  if (missing.length > 0) {
    yield { name: 'not-readable.txt', lastModified, input: `${missing.join('\n')}\n` }
  }
}

/** An unreadable file does not stop the export: the zip lists it, and the log says why. */
async function openOrNull(ctx: Context, fileId: string, userId: string): Promise<OpenedFile | null> {
  try {
    return await openOriginalFile(ctx, fileId, userId)
  } catch (error) {
    ctx.log.error({ err: error, requestId: ctx.requestId }, 'file not exported')
    return null
  }
}

async function listExportedOrders(ctx: Context, userId: string) {
  const orders = []
  const notes = await listNotesOn(ctx, userId)
  for await (const order of streamUserOrders(ctx, userId)) {
    const { totalCents, capturedCents, refundedCents, items, refusedItems, ...others } = order
    orders.push({
      ...others,
      total: decimalFromCents(totalCents),
      captured: decimalFromCents(capturedCents),
      refunded: decimalFromCents(refundedCents),
      items: items.map(exportLine),
      refusedItems: refusedItems.map(exportLine),
      // Without the pharmacists who recorded them.
      labels: [...(await readLabelChoices(ctx, order.id))].map(([lineId, choices]) => ({
        lineId,
        ...choices,
        remsDecision: choices.remsDecision && {
          text: choices.remsDecision.text,
          at: choices.remsDecision.at,
        },
        counseling: choices.counseling && { answer: choices.counseling.answer, at: choices.counseling.at },
      })),
      recalls: (await listNotices(ctx, order.id)).map(({ recallId, lineIds, at }) => ({
        recall: recallId,
        lineIds,
        at,
      })),
      reviews: await listExportedReviews(ctx, order.id),
      // Without the author, who is another person.
      notes: notes.filter(({ orderId }) => orderId === order.id).map(({ at, text }) => ({ at, text })),
    })
  }
  return orders
}

const exportLine = <Line extends OrderLine>({ priceCents, isTracked: _isTracked, ...line }: Line) => ({
  ...line,
  price: decimalFromCents(priceCents),
})

/**
 * How the pharmacy decided on an order's prescription lines. Without who decided, and without notes
 * on a file that was sent twice: the other one can be another person's.
 */
async function listExportedReviews(ctx: Context, orderId: string) {
  return (await listLineReviews(ctx.db, [orderId])).map((review) => {
    const { lineId, prescriptionId, itemId, status, decidedAt, checkedAt } = review
    const { reason, notes } = readDecision(ctx.keys, review)
    const own = notes.filter(({ kind }) => kind !== 'duplicate').map(withoutAuthor)
    return { lineId, prescriptionId, itemId, status, decidedAt, checkedAt, reason, notes: own }
  })
}

const withoutAuthor = <Entry extends { by: string }>({ by: _by, ...entry }: Entry) => entry

function exportPrescription({ transcription, ...prescription }: ExportedData['prescriptions'][number]) {
  if (!transcription) return { ...prescription, transcription }
  const { duplicate: _duplicate, authentication, ...read } = transcription
  return {
    ...prescription,
    transcription: { ...read, authentication: authentication && withoutAuthor(authentication) },
  }
}

/** What the pharmacy transcribed of the prescriptions, and each time it was dispensed. */
async function listExportedItems(ctx: Context, key: KeyRing, userId: string) {
  const fills = await listFills(ctx.db, userId)
  return (await listItems(ctx.db, userId)).map((row) => {
    const { version: _version, agreements, closed, ...item } = readItem(key, row)
    return {
      ...item,
      ...(closed && { closed: withoutAuthor(closed) }),
      agreements: agreements.map(withoutAuthor),
      fills: fills
        .filter(({ itemId }) => itemId === row.id)
        .map((fill) => {
          const { id, orderId, lineId, status, createdAt, clearedAt, dispensedAt, releasedAt } = fill
          const { units, daysSupply } = readFill(key, fill)
          const times = { createdAt, clearedAt, dispensedAt, releasedAt }
          return { id, orderId, lineId, status, units, daysSupply, ...times }
        }),
    }
  })
}

const exportRecord = ({ dependant: _dependant, ...record }: PatientRecord) => record

/** All messages with the pharmacy. Without the pharmacists who wrote them. */
async function listExportedMessages(ctx: Context, key: KeyRing, userId: string) {
  const rows = await listUserThreads(ctx.db, userId)
  const threads = await openThreads(ctx, key, rows)
  return rows.map(({ subjectId, orderId, prescriptionId }) => ({
    orderId,
    prescriptionId,
    messages: (threads.get(subjectId)?.messages ?? []).map(({ from, text, at }) => ({ from, text, at })),
  }))
}

async function* accountJson(
  ctx: Context,
  key: KeyRing,
  { person, prescriptions }: ExportedData,
): AsyncGenerator<string> {
  const { hasIdDocument, ...profile } = person
  const sessions = await listAllSessions(ctx.db, person.id)
  const account = await findSecurityFields(ctx.db, person.id)
  const [own, ...dependants] = await readPatients(ctx, key, person)
  const document = {
    exportedAt: ctx.now,
    profile,
    healthRecord: exportRecord(own.record),
    dependants: dependants.map(({ id, name, record }) => ({
      id,
      name,
      ...record.dependant,
      healthRecord: exportRecord(record),
    })),
    hasIdDocument,
    emailConfirmedAt: account?.emailConfirmedAt,
    twoStepSignInSince: account?.totpConfirmedAt,
    sessions: sessions.map(({ sealedDevice, ...session }) => ({
      ...session,
      device: JSON.parse(unseal(key, bindings.sessionDevice(session.id), sealedDevice)) as unknown,
    })),
    // Without the pharmacists who made these.
    prescriptions: prescriptions.map(exportPrescription),
    prescriptionItems: await listExportedItems(ctx, key, person.id),
    alertDecisions: (await readAlertDecisions(ctx, key, person.id)).map(
      ({ patientId, about, choice, reason, note, at }) => ({ patientId, about, choice, reason, note, at }),
    ),
    orders: await listExportedOrders(ctx, person.id),
    messages: await listExportedMessages(ctx, key, person.id),
    wantsRefillReminders: await wantsReminders(ctx),
    shippingAddresses: await openAddresses(ctx, key, person.id),
    // Of the back office's lists; customers have none.
    listSettings: await listUserGridSettings(ctx.db, person.id),
    savedViews: await listUserGridViews(ctx.db, person.id),
    cart: (await getCart(ctx, null)).cart.lines,
  }
  // The activity list grows with the account's age, so it is written row by row.
  yield `${JSON.stringify(document, null, 2).slice(0, -2)},\n  "activity": [`
  let separator = ''
  for await (const { at, by, description, device, reason } of streamActivity(ctx, person.id)) {
    yield `${separator}\n    ${JSON.stringify({ at, by, did: description, ...(device !== null && { device }), ...(reason !== null && { reason }) })}`
    separator = ','
  }
  yield '\n  ]\n}\n'
}
