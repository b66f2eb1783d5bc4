import type { Db } from '#db/engine/client.ts'
import { caseQuerySchema } from '#domain/dispensing/case-inputs.ts'
import type { CasePrescription } from '#domain/dispensing/case-prescription.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import type { Context } from '#server/context.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { listOwnThreads } from '#server/messages/list-thread.ts'
import { askCustomer, sendToPharmacy } from '#server/messages/send-message.ts'
import { decideReview } from '#server/reviews/decide-review.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { listCases } from '#server/reviews/list-cases.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { expect, test } from 'vitest'

const daysAgo = (days: number): Date => new Date(testDay.getTime() - days * 24 * 3600 * 1000)
const undated = { prescriptionDate: null }
const caseQuery = (params: Record<string, string> = {}) =>
  caseQuerySchema.parse({ sort: 'received', ...params })

async function person(db: Db, isAdmin = false, lastName = 'O’Hara'): Promise<Context> {
  return testContext(db, { user: signedIn(await makeUser(db, { isAdmin, lastName }), { isAdmin }) })
}
const idOf = (ctx: Context): string => ctx.user?.id ?? ''
const prescriptionOf = ({ prescriptions: [prescription] }: ReviewCase): CasePrescription => {
  if (!prescription) throw new Error('The case has no prescription.')
  return prescription
}
const getPrescription = async (ctx: Context, id: string) => prescriptionOf(await getCase(ctx, id))
const auditOf = (db: Db, action: string) =>
  db
    .selectFrom('auditLog')
    .select(['actorId', 'subjectId', 'objectId'])
    .where('action', '=', action as never)
    .execute()

eachEngine((_engine, openDb) => {
  test('the queue lists the oldest first and audits each read', async () => {
    const db = await openDb()
    const [admin, one, other] = [
      await person(db, true),
      await person(db, false, 'One'),
      await person(db, false, 'Other'),
    ]
    const late = await addPrescription(db, idOf(one), {
      ...undated,
      now: daysAgo(1),
      expiryDate: '2026-01-04',
    })
    const early = await addPrescription(db, idOf(other), { ...undated, now: daysAgo(9) })
    const decided = await addPrescription(db, idOf(one), { ...undated, now: daysAgo(30) })
    await decideReview(admin, { id: decided.id, version: 1, status: 'approved' })

    const { rows, counts } = await listCases(admin, caseQuery())
    expect(counts.new).toBe(2)
    expect(rows).toMatchObject([
      {
        id: early.id,
        kind: 'prescription',
        patientName: 'Zoë Other',
        receivedAt: daysAgo(9).toISOString(),
        daysWaiting: 9,
        question: null,
      },
      { id: late.id, patientName: 'Zoë One', daysWaiting: 1 },
    ])
    expect((await getPrescription(admin, late.id)).status).toBe('expired')
    const read = await auditOf(db, 'prescriptions.read')
    expect(read.map(({ subjectId }) => subjectId).toSorted()).toEqual([idOf(one), idOf(other)].toSorted())
    const idsOf = async (params: Record<string, string>) =>
      (await listCases(admin, caseQuery(params))).rows.map(({ id }) => id)
    // A decided prescription is no case.
    expect(await idsOf({ filter: 'all', dir: 'desc' })).toEqual([late.id, early.id])
    expect((await getPrescription(admin, decided.id)).status).toBe('approved')
    expect(await idsOf({ filter: 'none', after: '["x","y"]' })).toEqual([early.id, late.id])
    await expect(listCases(one, caseQuery())).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('pages of the queue continue in both directions', async () => {
    const db = await openDb()
    const [admin, one] = [await person(db, true), await person(db)]
    const ids: string[] = []
    // Two with the same time are ordered by id.
    for (const days of [4, 3, 3, 2])
      ids.push((await addPrescription(db, idOf(one), { ...undated, now: daysAgo(days) })).id)
    const small = (params: Record<string, string>) => listCases(admin, { ...caseQuery(params), size: 2 })
    const first = await small({})
    const second = await small({ after: first.next ?? '' })
    const shown = [...first.rows, ...second.rows].map(({ id }) => id)
    expect(shown.toSorted()).toEqual(ids.toSorted())
    expect([shown[0], shown[3], second.next]).toEqual([ids[0], ids[3], null])
    expect((await small({ before: second.previous ?? '' })).rows).toEqual(first.rows)
    expect((await small({ last: '1' })).rows).toEqual(second.rows)
  })

  test('a case has the file type, patient, order and messages, and audits each read', async () => {
    const db = await openDb()
    const [admin, owner] = [await person(db, true), await person(db)]
    await updateProfile(owner, {
      dateOfBirth: '1980-01-06',
      weight: 150.5,
      allergies: 'Penicillin',
      currentMedications: 'Warfarin',
    })
    const { id } = await addPrescription(db, idOf(owner), { now: testDay })
    const productId = await addProduct(db, { name: 'Lisinopril', category: 'Rx' })
    const items = [{ productVariantId: await addVariant(db, { productId }), quantity: 3 }]
    const order = await placeOrder(db, idOf(owner), { items, prescriptionId: id })

    expect(await getCase(admin, id)).toMatchObject({
      id: order.id,
      patient: {
        name: 'Zoë O’Hara',
        age: 45,
        weightPounds: 150.5,
        allergies: 'Penicillin',
        currentMedications: 'Warfarin',
      },
      prescriptions: [
        {
          id,
          version: 1,
          status: 'under_review',
          claim: { doctorName: 'Dr. Ada Quillfeather' },
          fileType: 'application/pdf',
          transcription: null,
        },
      ],
      order: { id: order.id, status: 'processing', total: '15.00' },
      lines: [{ quantity: 3, product: { name: 'Lisinopril' }, decidedBy: null }],
      threads: [],
    })
    for (const [action, objectId] of [
      ['prescription.read', id],
      ['profile.read', null],
      ['order.read', order.id],
    ] as const) {
      expect(await auditOf(db, action)).toContainEqual({
        actorId: idOf(admin),
        subjectId: idOf(owner),
        objectId,
      })
    }
    // The order is the case of its prescription.
    expect((await listCases(admin, caseQuery())).rows).toMatchObject([
      { id: order.id, kind: 'order', lines: { waiting: 1 } },
    ])
    await expect(getCase(owner, id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(getCase(admin, 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('a conflicting second decision gets the current case and sends no second email', async () => {
    const db = await openDb()
    const [first, second, owner] = [await person(db, true), await person(db, true), await person(db)]
    const { id } = await addPrescription(db, idOf(owner))
    const seen = await getPrescription(second, id)
    await decideReview(first, { id, version: 1, status: 'rejected', statusReason: 'Not legible' })
    const late = { id, version: seen.version, status: 'approved' } as const
    const refusal = await decideReview(second, late).catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      code: 'CONFLICT',
      current: { prescriptions: [{ version: 2, status: 'rejected', statusReason: 'Not legible' }] },
    })
    expect(await getPrescription(first, id)).toMatchObject({ version: 2, status: 'rejected' })
    expect(await listOutbox(first)).toHaveLength(1)
    // After seeing the current case, they can decide.
    const { version } = prescriptionOf((refusal as { current: ReviewCase }).current)
    expect(await decideReview(second, { ...late, version })).toEqual({ id, status: 'approved' })
    // Repeating a decision changes nothing.
    expect(await decideReview(second, late)).toEqual({ id, status: 'approved' })
    expect(await listOutbox(first)).toHaveLength(2)
  })

  test('approving an expired prescription is a conflict without a current case', async () => {
    const db = await openDb()
    const [admin, owner] = [await person(db, true), await person(db)]
    const { id } = await addPrescription(db, idOf(owner), { expiryDate: '2020-01-01' })
    const approval = decideReview(admin, { id, version: 1, status: 'approved' })
    await expect(approval).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(approval).rejects.not.toHaveProperty('current')
    expect(await decideReview(admin, { id, version: 1, status: 'expired' })).toEqual({
      id,
      status: 'expired',
    })
  })

  test('a question is sealed, emailed as a link only, and answered once by the owner', async () => {
    const db = await openDb()
    const [admin, owner, other] = [await person(db, true), await person(db), await person(db)]
    const { id } = await addPrescription(db, idOf(owner))
    const question = 'Is the xanomeline 10 mg or 20 mg?'
    const asked = { subjectId: id, text: question, requestKey: 'one question', lastMessageId: '' }
    await askCustomer(admin, asked)
    expect(await getCase(admin, id)).toMatchObject({
      prescriptions: [{ status: 'under_review', version: 2 }],
      threads: [{ subjectId: id, messages: [{ text: question }], waitingFor: 'customer' }],
    })
    const mails = JSON.stringify(await listOutbox(admin))
    expect(mails).toContain('https://shop.example/prescriptions')
    expect(mails).not.toMatch(/xanomeline|quillfeather/i)
    expect((await listCases(admin, caseQuery({ filter: 'asked' }))).rows).toMatchObject([
      { id, question: 'asked' },
    ])
    // An admin who has not seen the question cannot decide.
    await expect(decideReview(admin, { id, version: 1, status: 'approved' })).rejects.toMatchObject({
      code: 'CONFLICT',
      current: { prescriptions: [{ version: 2 }] },
    })

    const text = 'The xanomeline is 20 mg.'
    const answer = { subjectId: id, text, requestKey: 'one submission' }
    await expect(sendToPharmacy(other, answer)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    // A double submit is one message.
    await Promise.all([sendToPharmacy(owner, answer), sendToPharmacy(owner, answer)])
    expect(JSON.stringify(await db.selectFrom('messages').selectAll().execute())).not.toMatch(/xanomeline/i)
    expect((await listOwnThreads(owner, [id])).get(id)).toMatchObject({
      messages: [
        { from: 'pharmacy', text: question },
        { from: 'customer', text },
      ],
      waitingFor: 'pharmacy',
    })
    expect((await listOwnThreads(other, [id])).get(id)).toEqual({ messages: [], waitingFor: 'none' })
    expect(await getCase(admin, id)).toMatchObject({
      prescriptions: [{ version: 3 }],
      threads: [{ messages: [{ text: question }, { text }] }],
    })
    expect((await listCases(admin, caseQuery())).rows).toMatchObject([{ id, question: 'answered' }])
    expect(await auditOf(db, 'message.sent')).toMatchObject([
      { subjectId: idOf(owner), objectId: id },
      { subjectId: idOf(owner), objectId: id },
    ])
  })

  test('a question about a decided prescription does not reopen it, and only staff ask', async () => {
    const db = await openDb()
    const [admin, owner] = [await person(db, true), await person(db)]
    const { id } = await addPrescription(db, idOf(owner))
    const ask = (ctx: Context, text: string) =>
      askCustomer(ctx, { subjectId: id, text, requestKey: text, lastMessageId: '' })
    await ask(admin, 'Which dose?')
    await decideReview(admin, { id, version: 2, status: 'approved' })
    await ask(admin, 'And now?')
    expect(await getPrescription(admin, id)).toMatchObject({ status: 'approved', version: 3 })
    await expect(ask(owner, 'Me?')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})
