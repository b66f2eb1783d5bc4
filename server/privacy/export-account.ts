import { listAllSessions } from '#db/accounts/personal-data.ts'
import { findGuards, findProfile } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { fileExtensions } from '#domain/files/files.ts'
import { decimalFromCents } from '#domain/money.ts'
import type { Question } from '#domain/prescriptions/prescription-review.ts'
import type { Prescription } from '#domain/prescriptions/prescriptions.ts'
import { makeZip } from 'client-zip'
import { allActivity } from '../accounts/list-activity.ts'
import { recordRead } from '../audit/record-audit.ts'
import { getCart } from '../cart/get-cart.ts'
import type { Context } from '../context.ts'
import { openFile, type OpenFile } from '../files/open-file.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { streamUserOrders } from '../orders/list-orders.ts'
import { listNotesOn } from '../orders/list-notes.ts'
import { readAllPrescriptions } from '../prescriptions/prescription-reader.ts'
import { bindings } from '../crypto/bindings.ts'
import { unseal } from '../crypto/sealing.ts'
import { openAddresses } from '../accounts/list-addresses.ts'
import { openPerson, type Person } from '../accounts/get-profile.ts'
import { requireUser } from '../require-user.ts'
import { openUserKey } from '../crypto/user-key.ts'

type Held = {
  person: Person
  prescriptions: (Prescription & { questions: Question[] })[]
  /** Each by its name in the zip, without its end, which follows from what it is. */
  documents: { name: string; fileId: string }[]
}

/**
 * Everything that the shop holds about whoever is signed in, as a zip that is made while it is read: `account.json` and the files
 * as they were uploaded. The log says so before the first byte. One piece of one file is in memory at a time.
 * Throws UNAUTHENTICATED when nobody is signed in.
 */
export async function exportAccount(ctx: Context): Promise<ReadableStream<Uint8Array>> {
  const { id } = requireUser(ctx)
  const [row, key] = await Promise.all([findProfile(ctx.db, id), openUserKey(ctx, id)])
  if (!row || !key) throw new AppError('UNAUTHENTICATED')
  await recordRead(ctx, { action: 'account.exported', subjectId: id })
  const prescriptions = await readAllPrescriptions(ctx, key, id)
  return makeZip(
    entriesOf(ctx, key, {
      person: openPerson(key, row),
      prescriptions: prescriptions.map(({ fileId: _fileId, ...prescription }) => prescription),
      documents: [
        ...(row.idDocumentFileId === null ? [] : [{ name: 'id-document', fileId: row.idDocumentFileId }]),
        ...prescriptions.map(({ id, fileId }) => ({ name: `prescriptions/${id}`, fileId })),
      ],
    }),
  )
}

async function* entriesOf(ctx: Context, key: KeyRing, held: Held) {
  const lastModified = ctx.now
  yield { name: 'account.json', lastModified, input: accountJson(ctx, key, held) }
  const missing: string[] = []
  for (const { name, fileId } of held.documents) {
    const file = await openOrNull(ctx, fileId, held.person.id)
    if (file) yield { name: `${name}.${fileExtensions[file.contentType]}`, lastModified, input: file.stream }
    else missing.push(name)
  }
  if (missing.length > 0) {
    yield { name: 'not-readable.txt', lastModified, input: `${missing.join('\n')}\n` }
  }
}

/** A file that cannot be read leaves the others to be had; the zip names it, and the log says why. */
async function openOrNull(ctx: Context, fileId: string, userId: string): Promise<OpenFile | null> {
  try {
    return await openFile(ctx, fileId, userId)
  } catch (error) {
    ctx.log.error({ err: error, requestId: ctx.requestId }, 'a file could not be exported')
    return null
  }
}

async function ordersOf(ctx: Context, userId: string) {
  const orders = []
  const notes = await listNotesOn(ctx, userId)
  for await (const { totalCents, refundedCents, items, ...order } of streamUserOrders(ctx, userId)) {
    orders.push({
      ...order,
      total: decimalFromCents(totalCents),
      refunded: decimalFromCents(refundedCents),
      items: items.map(({ priceCents, isTracked: _isTracked, ...item }) => ({
        ...item,
        price: decimalFromCents(priceCents),
      })),
      // Not by whom: that is somebody else's.
      notes: notes
        .filter(({ orderId }) => orderId === order.id)
        .map(({ at, text }) => ({ at, text })),
    })
  }
  return orders
}

async function* accountJson(
  ctx: Context,
  key: KeyRing,
  { person, prescriptions }: Held,
): AsyncGenerator<string> {
  const { hasIdDocument, ...profile } = person
  const sessions = await listAllSessions(ctx.db, person.id)
  const guards = await findGuards(ctx.db, person.id)
  const said = {
    exportedAt: ctx.now,
    profile,
    hasIdDocument,
    emailConfirmedAt: guards?.emailConfirmedAt,
    twoStepSignInSince: guards?.totpConfirmedAt,
    sessions: sessions.map(({ sealedDevice, ...session }) => ({
      ...session,
      device: JSON.parse(unseal(key, bindings.sessionDevice(session.id), sealedDevice)) as unknown,
    })),
    prescriptions,
    orders: await ordersOf(ctx, person.id),
    shippingAddresses: await openAddresses(ctx, key, person.id),
    cart: (await getCart(ctx, null)).cart.lines,
  }
  // The list of who did what is as long as the account is old, so it is written row by row.
  yield `${JSON.stringify(said, null, 2).slice(0, -2)},\n  "activity": [`
  let comma = ''
  for await (const { at, by, words } of allActivity(ctx, person.id)) {
    yield `${comma}\n    ${JSON.stringify({ at, by, did: words })}`
    comma = ','
  }
  yield '\n  ]\n}\n'
}
