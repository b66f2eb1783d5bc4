import { closeItemInputSchema } from '#domain/dispensing/case-inputs.ts'
import { exportAccount } from '#server/privacy/export-account.ts'
import { listAddresses } from '#server/accounts/list-addresses.ts'
import { startSession } from '#server/accounts/start-session.ts'
import { openUserKey } from '#server/crypto/user-key.ts'
import { listActivity, type ActivityFilter } from '#server/accounts/list-activity.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { addToCart } from '#server/cart/update-cart.ts'
import { receiveFormUpload } from '#server/files/receive-upload.ts'
import { addNote } from '#server/orders/add-note.ts'
import { addToList } from '#server/patients/change-record.ts'
import { createPrescription } from '#server/prescriptions/create-prescription.ts'
import { setReminders } from '#server/reminders/set-reminders.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { closeItem } from '#server/reviews/close-item.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { noteCall } from '#server/reviews/note-call.ts'
import { bindings } from '#server/crypto/bindings.ts'
import { seal } from '#server/crypto/sealing.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addVariant, testDay } from '#tests/support/catalog.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { homeAddress, placeOrder } from '#tests/support/orders.ts'
import { clearInputOf, transcribe } from '#tests/support/pharmacist.ts'
import { itemOf, lineOf, openCase, prescriptionOf } from '#tests/support/review-cases.ts'
import { samplePdf, samplePng } from '#tests/support/sample-files.ts'
import { filesOf } from '#tests/support/zip.ts'
import { newId } from '#domain/ids.ts'
import { parseFileReference } from '#domain/files/files.ts'
import type { Context } from '#server/context.ts'
import { expect, test } from 'vitest'

async function* body(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const address = {
  streetAddress: '12 Harbour Lane',
  city: 'Portland',
  stateProvince: 'ME',
  zipCode: '04101',
  country: 'United States',
}

async function saveAddress(ctx: Context, userId: string, fields: { city: string; isDefault: boolean }) {
  const id = newId()
  const key = await openUserKey(ctx, userId)
  if (!key) throw new Error('The user has no key.')
  await ctx.db
    .insertInto('shippingAddresses')
    .values({
      id,
      userId,
      addressType: 'shipping',
      addressHash: fields.city,
      sealedAddress: seal(
        key,
        bindings.shippingAddress(id),
        JSON.stringify({ ...address, city: fields.city }),
      ),
      isDefault: fields.isDefault,
      createdAt: testDay,
    })
    .execute()
  return id
}

test('account data requires a signed-in user', async () => {
  const visitor = testContext({} as Context['db'])
  const refused = expect.objectContaining({ code: 'UNAUTHENTICATED' })
  await expect(listActivity(visitor, { before: null, filter: 'all' })).rejects.toEqual(refused)
  await expect(exportAccount(visitor)).rejects.toEqual(refused)
  await expect(listAddresses(visitor)).rejects.toEqual(refused)
})

eachEngine((_engine, openDb) => {
  test('the activity list shows who did what, the newest first, including its own read', async () => {
    const db = await openDb()
    const [id, other] = [await makeUser(db), await makeUser(db)]
    const staff = await makeUser(db, { firstName: 'Amara', isAdmin: true })
    const deletedStaff = await makeUser(db, { isAdmin: true })
    const userCtx = testContext(db, { user: signedIn(id) })
    const as = (actor: string) => testContext(db, { user: signedIn(actor, { isAdmin: true }) })
    await recordAudit(userCtx, { action: 'profile.updated', subjectId: id })
    await recordAudit(as(staff), { action: 'id-document.read', subjectId: id })
    await recordAudit(as(deletedStaff), { action: 'profile.read', subjectId: id })
    await recordAudit(as(staff), { action: 'profile.read', subjectId: other })
    await db.deleteFrom('users').where('id', '=', deletedStaff).execute()
    const entriesOf = async (filter: ActivityFilter) =>
      (await listActivity(userCtx, { before: null, filter })).activities.map(({ by, description }) => [
        by,
        description,
      ])
    const others = [
      [{ kind: 'staff', firstName: null }, 'viewed the profile'],
      [{ kind: 'staff', firstName: 'Amara' }, 'opened the ID document'],
    ]
    const created = [{ kind: 'shop' }, 'created the account']
    expect(await entriesOf('all')).toEqual([
      [{ kind: 'self' }, 'viewed this list'],
      ...others,
      [{ kind: 'self' }, 'changed the profile'],
      created,
    ])
    expect(await entriesOf('others')).toEqual([...others, created])
  })

  test('pages of the activity list contain each row once', async () => {
    const db = await openDb()
    const id = await makeUser(db)
    const ctx = testContext(db, { user: signedIn(id) })
    for (let i = 0; i < 119; i++) await recordAudit(ctx, { action: 'profile.read', subjectId: id })
    const rows = await db.selectFrom('auditLog').select('id').orderBy('id', 'desc').execute()
    const pages: string[][] = []
    let before: string | null = rows[0]?.id ?? ''
    while (before !== null) {
      const page = await listActivity(ctx, { before, filter: 'all' })
      pages.push(page.activities.map((row) => row.id))
      before = page.next
    }
    expect(pages.map((page) => page.length)).toEqual([50, 50, 19])
    expect(pages.flat()).toEqual(rows.slice(1).map((row) => row.id))
    const odd = await listActivity(ctx, { before: "' or 1=1", filter: 'all' })
    expect(odd.activities).toHaveLength(50)
  })

  test('saved addresses belong to the user, the default first, then the newest', async () => {
    const db = await openDb()
    const [id, other] = [await makeUser(db), await makeUser(db)]
    const ctx = testContext(db, { user: signedIn(id) })
    const saved = [
      await saveAddress(ctx, id, { city: 'first', isDefault: true }),
      await saveAddress(ctx, id, { city: 'second', isDefault: false }),
      await saveAddress(ctx, id, { city: 'third', isDefault: false }),
    ]
    await saveAddress(ctx, other, { city: 'another’s', isDefault: true })
    const rows = await listAddresses(ctx)
    expect(rows.map((row) => row.id)).toEqual([saved[0], saved[2], saved[1]])
    expect(rows[0]).toEqual({
      ...address,
      id: saved[0],
      city: 'first',
      addressType: 'shipping',
      isDefault: true,
    })
    const log = db.selectFrom('auditLog').select('subjectId').where('action', '=', 'addresses.read')
    expect(await log.execute()).toEqual([{ subjectId: id }])
  })

  test('the export contains all data as JSON and the original files', async () => {
    const db = await openDb()
    const id = await makeUser(db, {
      email: 'zoe@customer.example',
      profile: { allergies: 'Xanomeline', weight: 146.5 },
    })
    const ctx = testContext(db, { user: signedIn(id) })
    await startSession(ctx, { userId: id, userAgent: 'Firefox' })
    await addToList(ctx, { list: 'medications', name: 'Zyzzyxol', meaning: 'text' })
    await saveAddress(ctx, id, { city: 'Bangor', isDefault: true })
    const variantId = await addVariant(db)
    await addToCart(ctx, null, { variantId, quantity: 2 })
    const order = await placeOrder(db, id)
    const others = await placeOrder(db, await makeUser(db))
    const staff = asAdmin(db)
    await addNote(staff, { id: order.id, text: 'Asked for a call after five.' })
    await addNote(staff, { id: others.id, text: 'Nothing of this.' })
    const idDocument = parseFileReference(await receiveFormUpload(ctx, body(samplePng())))
    await db.updateTable('files').set({ registeredAt: testDay }).execute()
    await db.updateTable('users').set({ idDocumentFileId: idDocument }).where('id', '=', id).execute()
    const details = { doctorName: 'Dr. Quill', prescriptionDate: null, expiryDate: null, notes: null }
    const { id: prescriptionId } = await createPrescription(ctx, {
      ...details,
      fileUrl: await receiveFormUpload(ctx, body(samplePdf())),
    })
    const files = filesOf(Buffer.from(await new Response(await exportAccount(ctx)).arrayBuffer()))
    const document = `prescriptions/${prescriptionId}.pdf`
    expect([...files.keys()]).toEqual(['account.json', 'id-document.png', document])
    expect(files.get('id-document.png')?.equals(samplePng())).toBe(true)
    expect(files.get(document)?.equals(samplePdf())).toBe(true)
    const account: unknown = JSON.parse(files.get('account.json')?.toString() ?? '')
    expect(account).toMatchObject({
      profile: {
        id,
        email: 'zoe@customer.example',
        firstName: 'Zoë',
        allergies: 'Xanomeline',
        weight: 146.5,
      },
      healthRecord: { medications: [{ name: 'Zyzzyxol' }], noKnownAllergies: false },
      dependants: [],
      hasIdDocument: true,
      emailConfirmedAt: expect.any(String) as unknown,
      twoStepSignInSince: null,
      sessions: [{ device: { userAgent: 'Firefox', address: '192.0.2.1' } }],
      prescriptions: [{ id: prescriptionId, doctorName: 'Dr. Quill', status: 'under_review' }],
      orders: [
        {
          id: order.id,
          status: 'processing',
          total: '10.00',
          shippingAddress: homeAddress,
          stripePaymentId: order.stripePaymentId,
          items: [{ quantity: 2, price: '5.00', product: { name: 'Ibuprofen' } }],
          notes: [{ at: testDay.toISOString(), text: 'Asked for a call after five.' }],
        },
      ],
      shippingAddresses: expect.arrayContaining([
        expect.objectContaining({ city: 'Portland', isDefault: true }),
      ]) as unknown,
      cart: [{ variant: { id: variantId }, quantity: 2 }],
    })
    const { activity } = account as { activity: { did: string }[] }
    expect(activity[0]).toMatchObject({ by: { kind: 'self' }, did: expect.stringContaining('downloaded') })
    expect(activity.at(-1)).toMatchObject({ did: 'created the account' })
    expect(files.get('account.json')?.toString()).not.toMatch(/hash|sealed|token/i)
  })

  test('the export contains what the pharmacy transcribed, decided and dispensed', async () => {
    const db = await openDb()
    const { pharmacist, customer, order, prescription, variantId } = await openCase(db)
    const opened = await transcribe(
      pharmacist,
      prescriptionOf(await getCase(pharmacist, order.id)),
      [variantId],
      { items: [{ directions: 'Take 1 tablet at dusk' }] },
    )
    await noteCall(pharmacist, {
      lineId: lineOf(opened).id,
      version: lineOf(opened).version,
      note: 'Called the practice about the dose.',
    })
    await clearLine(pharmacist, clearInputOf(lineOf(await getCase(pharmacist, order.id))))
    await setReminders(customer, true)
    const readAccount = async (): Promise<string> => {
      const files = filesOf(Buffer.from(await new Response(await exportAccount(customer)).arrayBuffer()))
      return files.get('account.json')?.toString() ?? ''
    }
    const text = await readAccount()
    expect(JSON.parse(text)).toMatchObject({
      prescriptions: [
        {
          id: prescription.id,
          rxNumber: expect.stringMatching(/^Rx \d{6}$/) as unknown,
          transcription: {
            prescriberName: 'Ada Quillfeather, MD',
            authentication: { note: 'Fax from the practice, number from the state board' },
          },
        },
      ],
      prescriptionItems: [
        {
          prescriptionId: prescription.id,
          medicine: { ingredientSet: 'lisinopril' },
          directions: 'Take 1 tablet at dusk',
          refills: 2,
          fills: [{ orderId: order.id, status: 'cleared', units: 48, daysSupply: 30 }],
        },
      ],
      orders: [
        { reviews: [{ status: 'cleared', notes: [{ text: 'Called the practice about the dose.' }] }] },
      ],
      wantsRefillReminders: true,
    })
    expect(text).not.toContain(pharmacist.user?.id)
    expect(text).not.toMatch(/hash|sealed|token/i)

    const { id: itemId, version } = itemOf(await getCase(pharmacist, order.id))
    const closing = { itemId, version, reason: 'revoked', note: 'By phone' }
    await closeItem(pharmacist, closeItemInputSchema.parse(closing))
    const closed = await readAccount()
    expect(JSON.parse(closed)).toMatchObject({
      prescriptionItems: [
        { closedReason: 'Revoked by the prescriber: By phone', closed: { at: testDay.toISOString() } },
      ],
    })
    expect(closed).not.toContain(pharmacist.user?.id)
  })

  test('an unreadable file is listed in the export, which is otherwise complete', async () => {
    const db = await openDb()
    const id = await makeUser(db)
    const ctx = testContext(db, { user: signedIn(id) })
    const idDocument = parseFileReference(await receiveFormUpload(ctx, body(samplePng())))
    await db.updateTable('files').set({ registeredAt: testDay }).execute()
    await db.updateTable('users').set({ idDocumentFileId: idDocument }).where('id', '=', id).execute()
    await ctx.storage.delete(idDocument ?? '')
    const files = filesOf(Buffer.from(await new Response(await exportAccount(ctx)).arrayBuffer()))
    expect([...files.keys()]).toEqual(['account.json', 'not-readable.txt'])
    expect(files.get('not-readable.txt')?.toString()).toBe('id-document\n')
  })
})
