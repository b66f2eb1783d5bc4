import { caseQuerySchema } from '#domain/dispensing/case-inputs.ts'
import { newId } from '#domain/ids.ts'
import { listViewers, saveDraft } from '#server/reviews/case-drafts.ts'
import { closeItem } from '#server/reviews/close-item.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { listCases } from '#server/reviews/list-cases.ts'
import { refuseLine } from '#server/reviews/refuse-line.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { medicineOf } from '#tests/support/dispensing.ts'
import { addPharmacist, clearOrder, transcribe } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import {
  dayMs,
  hourMs,
  itemOf,
  lineOf,
  msLater,
  openCase,
  prescriptionOf,
  refusal,
} from '#tests/support/review-cases.ts'
import { expect, test } from 'vitest'

const query = (params: Record<string, string> = {}) => caseQuerySchema.parse(params)

eachEngine((_engine, openDb) => {
  test('the queue sorts by when an authorization lapses, filters, pages and audits', async () => {
    const db = await openDb()
    const [one, two] = [await openCase(db), await openCase(db)]
    const { pharmacist } = one
    const alone = await addPrescription(db, await makeUser(db), { now: msLater(-3 * dayMs) })
    const hold = (orderId: string, at: Date, refusedAt: Date | null = null) =>
      db
        .updateTable('paymentHolds')
        .set({ captureBefore: at, refusedAt })
        .where('orderId', '=', orderId)
        .execute()
    await hold(one.order.id, msLater(5 * dayMs))
    await hold(two.order.id, msLater(40 * hourMs))
    const list = (params: Record<string, string> = {}, size = 50) =>
      listCases(pharmacist, { ...query(params), size })
    const { rows, counts } = await list()
    expect(rows.map(({ id }) => id)).toEqual([two.order.id, one.order.id, alone.id])
    expect(rows).toMatchObject([
      {
        kind: 'order',
        patientName: 'Zoë O’Hara',
        isDue: true,
        medicines: ['Lisinopril'],
        rxNumbers: ['Rx 000002'],
        lines: { waiting: 1, asked: 0 },
        destination: { country: 'United States' },
      },
      { isDue: false },
      { kind: 'prescription', rxNumbers: ['Rx 000003'], daysWaiting: 3, destination: null },
    ])
    expect(counts).toEqual({ new: 3, asked: 0, due: 1, mine: 0, check: 0, all: 3 })
    expect((await list({ sort: 'received' })).rows[0]?.id).toBe(alone.id)
    const first = await list({}, 2)
    const second = await list({ after: first.next ?? '' }, 2)
    expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
    expect((await list({ before: second.previous ?? '' }, 2)).rows.map(({ id }) => id)).toEqual(
      first.rows.map(({ id }) => id),
    )
    await clearOrder(db, one.order.id)
    await db
      .updateTable('paymentHolds')
      .set({ status: 'authorized' })
      .where('orderId', '=', one.order.id)
      .execute()
    expect((await list()).rows.map(({ id }) => id)).toEqual([two.order.id, alone.id])
    // A refused capture brings the order back.
    await hold(one.order.id, msLater(5 * dayMs), testDay)
    expect((await list({ filter: 'due' })).rows).toMatchObject([
      { id: two.order.id },
      { isCaptureRefused: true },
    ])
    expect(await refusal(listCases(one.customer, query()))).toMatchObject({ code: 'FORBIDDEN' })
  })

  test('a draft is its pharmacist’s and is deleted with the save of its prescription, and others see who is viewing', async () => {
    const db = await openDb()
    const { pharmacist, order, customer, variantId, prescription } = await openCase(db)
    const other = await addPharmacist(db, { firstName: 'Eli', lastName: 'Ruiz' })
    const otherPrescription = { [`${newId()}.items.0.directions`]: '1 tab po' }
    const drafted = {
      ...otherPrescription,
      [`${prescription.id}.items.0.directions`]: '1 tab po',
      [`${prescription.id}.items.0.variantId`]: variantId,
      [`${prescription.id}.items.1.variantId`]: 'no id',
    }
    await saveDraft(pharmacist, { caseId: order.id, fields: { ...drafted, note: ' ' } })
    const { draft } = await getCase(pharmacist, order.id)
    expect(draft?.fields).toEqual(drafted)
    // The form shows the chosen medicine again, and compares the quantity with its directions.
    expect(draft?.medicines).toEqual({ [variantId]: await medicineOf(db, variantId) })
    const seen = await getCase(other, order.id)
    expect([seen.draft, seen.viewers]).toEqual([null, ['Dana Fox']])
    expect(await listViewers({ ...other, now: msLater(3 * 60_000) }, order.id)).toEqual([])
    expect((await listCases(pharmacist, query({ filter: 'mine' }))).rows).toMatchObject([
      { id: order.id, hasDraft: true },
    ])
    const stored = await db.selectFrom('caseDrafts').select('sealedDraft').execute()
    expect(JSON.stringify(stored)).not.toContain('1 tab po')
    const transcribed = await transcribe(pharmacist, prescriptionOf(seen), [variantId], { caseId: order.id })
    expect(transcribed.draft?.fields).toEqual(otherPrescription)
    expect(await refusal(saveDraft(customer, { caseId: order.id, fields: {} }))).toMatchObject({
      code: 'FORBIDDEN',
    })
  })
  test('a draft loses what was typed about a decided line, item or file, and is deleted with the last of it', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId, prescription } = await openCase(db)
    const colleague = await addPharmacist(db, { firstName: 'Eli', lastName: 'Ruiz' })
    const seen = await getCase(colleague, order.id)
    const line = lineOf(seen)
    const caseId = order.id
    const about = (intents: string[], id: string) =>
      Object.fromEntries(intents.map((intent) => [`${intent} ${id}.text`, 'Page two']))
    const undecided = about(['refuse', 'ask', 'noteCall'], line.id)
    const others = { ...about(['didNotLeave'], line.id), ...about(['closeItem'], newId()) }
    const stored = () => db.selectFrom('caseDrafts').select('sealedDraft').executeTakeFirst()
    const rejection = about(['reject'], prescription.id)
    await saveDraft(pharmacist, { caseId, fields: { ...undecided, ...others, ...rejection } })
    expect((await getCase(pharmacist, caseId)).draft?.fields).toEqual({ ...undecided, ...rejection })
    const transcribed = await transcribe(colleague, prescriptionOf(seen), [variantId], { caseId })
    const item = itemOf(transcribed)
    const closing = about(['closeItem'], item.id)
    await saveDraft(pharmacist, { caseId, fields: { ...undecided, ...closing, ...rejection } })
    expect((await getCase(pharmacist, caseId)).draft?.fields).toEqual({ ...undecided, ...closing })
    await closeItem(colleague, {
      itemId: item.id,
      version: item.version,
      reason: 'revoked',
      note: 'By phone',
    })
    await refuseLine(colleague, { lineId: line.id, version: line.version, reason: 'Page two is missing.' })
    expect(await stored()).not.toEqual({ sealedDraft: null })
    expect((await getCase(pharmacist, caseId)).draft).toBeNull()
    expect(await stored()).toEqual({ sealedDraft: null })
  })
  test('a draft keeps why to close an item of a prescription that the case no longer uses', async () => {
    const db = await openDb()
    const { pharmacist, order, customerId, variantId } = await openCase(db)
    const caseId = order.id
    const { id } = await addPrescription(db, customerId)
    const seen = await getCase(pharmacist, caseId)
    const prescriptions = seen.prescriptions.filter((prescription) => prescription.id === id)
    await transcribe(pharmacist, prescriptionOf({ ...seen, prescriptions }), [variantId], { caseId })
    const { otherItems } = await getCase(pharmacist, caseId)
    expect(otherItems).toMatchObject([{ prescriptionId: id }])
    const fields = { [`closeItem ${otherItems[0]?.id}.note`]: 'By phone' }
    await saveDraft(pharmacist, { caseId, fields })
    expect((await getCase(pharmacist, caseId)).draft?.fields).toEqual(fields)
  })
})
