import type { Db } from '#db/engine/client.ts'
import type { Role } from '#domain/accounts/permissions.ts'
import { messageSchema } from '#domain/messages/message-input.ts'
import { parseCursor } from '#domain/grid.ts'
import { threadQuerySchema, type ThreadQuery } from '#domain/messages/thread-list.ts'
import type { Context } from '#server/context.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { closeThread, listOwnThreads, listThread, listWaitingThreads } from '#server/messages/list-thread.ts'
import { answerCustomer, askCustomer, sendToPharmacy } from '#server/messages/send-message.ts'
import { deleteUser } from '#server/privacy/delete-user.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { setReminders, stopReminders } from '#server/reminders/set-reminders.ts'
import { sendReminders } from '#server/reminders/send-reminders.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { limitedTo, signedIn, testContext } from '#tests/support/context.ts'
import { addItem } from '#tests/support/dispensing.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { expect, test } from 'vitest'

const actAs = async (db: Db, ...roles: Role[]): Promise<Context> =>
  testContext(db, { user: signedIn(await makeUser(db, { roles }), { roles }) })
const idOf = (ctx: Context): string => ctx.user?.id ?? ''
let sent = 0
const write = (subjectId: string, text: string) => ({ subjectId, text, requestKey: `submission ${++sent}` })
const listWaiting = (ctx: Context, query: Partial<ThreadQuery> = {}) =>
  listWaitingThreads(ctx, { ...threadQuerySchema.parse({}), ...query })
const mailsOf = async (db: Db): Promise<string> => JSON.stringify(await listOutbox(await actAs(db, 'admin')))

test('a message has text, at most 2,000 characters, and names its submission', () => {
  const parse = (message: string, requestKey = 'abcdefgh') =>
    messageSchema.safeParse({ message, requestKey }).error?.issues.map(({ message }) => message)
  expect(parse(' A\r\nB ')).toBe(undefined)
  expect(parse(' \n\u200B')).toEqual(['Enter a message.'])
  expect(parse('x'.repeat(2001))).toEqual(['Enter at most 2,000 characters.'])
  expect(parse('x', '')).toEqual(['Reload the page and try again.'])
})

eachEngine((_engine, openDb) => {
  test('a customer writes about an order, and a pharmacist answers; emails say only that', async () => {
    const db = await openDb()
    const [customer, stranger] = [await actAs(db), await actAs(db)]
    const [pharmacist, support] = [await actAs(db, 'pharmacist'), await actAs(db, 'support')]
    const { id } = await placeOrder(db, idOf(customer))
    const missing = expect.objectContaining({ code: 'NOT_FOUND' })
    for (const ctx of [stranger, pharmacist])
      await expect(sendToPharmacy(ctx, write(id, 'Not mine'))).rejects.toEqual(missing)
    await expect(sendToPharmacy(customer, write('x', 'Nothing'))).rejects.toEqual(missing)

    // Concurrent submits of one form are one message.
    const question = write(id, 'May I take xanomeline with food?')
    await Promise.all([1, 2, 3].map(() => sendToPharmacy(customer, question)))
    const row = await db.selectFrom('messages').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toMatch(/xanomeline/i)
    expect(await listWaiting(pharmacist)).toMatchObject({ rows: [{ id, kind: 'order' }], total: 1 })
    expect((await listThread(pharmacist, id)).messages).toMatchObject([
      { from: 'customer', text: 'May I take xanomeline with food?' },
    ])
    for (const call of [
      () => listThread(support, id),
      () => listWaiting(support),
      () => answerCustomer(support, write(id, 'Yes')),
      () => closeThread(support, id),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'FORBIDDEN' })

    const before = await mailsOf(db)
    await answerCustomer(pharmacist, write(id, 'Yes, take xanomeline with food.'))
    expect(await listWaiting(pharmacist)).toMatchObject({ rows: [], total: 0 })
    const mails = await mailsOf(db)
    expect(before).not.toContain('An answer about your order')
    expect(mails).toContain('An answer about your order')
    expect(mails).toContain(`https://shop.example/orders/${id}`)
    expect(mails).not.toMatch(/xanomeline/i)
    // The case is closed: reading it needs a reason again.
    await db.updateTable('orders').set({ status: 'delivered' }).execute()
    await expect(listThread(pharmacist, id)).rejects.toMatchObject({ code: 'REASON_REQUIRED' })

    const admin = await actAs(db, 'admin', 'pharmacist')
    await askCustomer(admin, write(id, 'Which other medicines do you take?'))
    expect((await listOwnThreads(customer, [id])).get(id)).toMatchObject({ waitingFor: 'customer' })
    await sendToPharmacy(customer, write(id, 'None.'))
    await closeThread(pharmacist, id)
    expect((await listOwnThreads(customer, [id])).get(id)?.messages).toHaveLength(4)
    const audited = await db
      .selectFrom('auditLog')
      .select(['actorId'])
      .where('action', '=', 'message.sent')
      .where('objectId', '=', id)
      .execute()
    expect(audited).toHaveLength(4)

    const limited = { ...customer, rateLimits: limitedTo('message', { limit: 1, windowSeconds: 60 }) }
    await sendToPharmacy(limited, write(id, 'One'))
    await expect(sendToPharmacy(limited, write(id, 'Two'))).rejects.toMatchObject({ code: 'TOO_MANY' })
    await deleteUser(customer, idOf(customer))
    expect(await db.selectFrom('messages').select('id').execute()).toEqual([])
  })

  test('the pharmacy’s list is paged by how long customers wait, and reads only a page of names', async () => {
    const db = await openDb()
    const pharmacist = await actAs(db, 'pharmacist')
    const ids: string[] = []
    for (let minute = 0; minute < 3; minute++) {
      const customer = { ...(await actAs(db)), now: new Date(Date.UTC(2026, 0, 1, 9, minute)) }
      const { id } = await placeOrder(db, idOf(customer))
      await sendToPharmacy(customer, write(id, 'When will it ship?'))
      ids.push(id)
    }
    const idsOf = async (query: Partial<ThreadQuery>) => {
      const { rows, next, total } = await listWaiting(pharmacist, { size: 2, ...query })
      expect(total).toBe(3)
      return { ids: rows.map(({ id }) => id), after: next === null ? undefined : parseCursor(next) }
    }
    const first = await idsOf({})
    expect(first.ids).toEqual(ids.slice(0, 2))
    const audited = await db
      .selectFrom('auditLog')
      .select('id')
      .where('action', '=', 'messages.read')
      .execute()
    expect(audited).toHaveLength(2)
    expect(await idsOf({ after: first.after })).toEqual({ ids: ids.slice(2), after: undefined })
    expect((await idsOf({ dir: 'desc' })).ids).toEqual(ids.toReversed().slice(0, 2))
  })

  test('an answer returns asked lines to the queue; a pharmacist answers no message of their own', async () => {
    const db = await openDb()
    const customer = await actAs(db, 'pharmacist')
    const { id: prescriptionId } = await addPrescription(db, idOf(customer))
    const rx = await addVariant(db, { productId: await addProduct(db, { category: 'Rx' }) })
    const order = await placeOrder(db, idOf(customer), {
      items: [{ productVariantId: rx, quantity: 1 }],
      prescriptionId,
    })
    await db.updateTable('lineReviews').set({ status: 'asked' }).execute()
    const own = expect.objectContaining({ code: 'CONFLICT' })
    await expect(answerCustomer(customer, write(order.id, 'To me'))).rejects.toEqual(own)
    await sendToPharmacy(customer, write(order.id, 'It is 20 mg.'))
    // A case shows the messages about it.
    const colleague = await actAs(db, 'pharmacist')
    expect((await getCase(colleague, order.id)).threads).toMatchObject([{ subjectId: order.id }])
    const reads = db
      .selectFrom('auditLog')
      .select(['actorId', 'objectId'])
      .where('action', '=', 'messages.read')
    expect(await reads.execute()).toEqual([{ actorId: idOf(colleague), objectId: order.id }])
    await expect(closeThread(customer, order.id)).rejects.toEqual(own)
    expect(await db.selectFrom('lineReviews').select(['status', 'version']).execute()).toEqual([
      { status: 'waiting', version: 2 },
    ])
    await db.deleteFrom('orders').execute()
    expect(await db.selectFrom('messageThreads').select('subjectId').execute()).toEqual([])
  })

  test('a refill reminder is sent once for each refill, to customers who asked for it', async () => {
    const db = await openDb()
    const [customer, other] = [await actAs(db), await actAs(db)]
    const rx = await addVariant(db, {
      productId: await addProduct(db, { name: 'Xanomeline', category: 'Rx', ingredients: 'Xanomeline' }),
      packageSize: 30,
      stockQuantity: 99,
    })
    for (const ctx of [customer, other]) {
      const userId = idOf(ctx)
      const { id: prescriptionId } = await addPrescription(db, userId)
      await addItem(db, { userId, prescriptionId, variantId: rx, unitsPerFill: 30, daysSupply: 30 })
      await placeOrder(db, userId, { items: [{ productVariantId: rx, quantity: 1 }] })
    }
    const { now } = customer
    await db.updateTable('fills').set({ status: 'dispensed', dispensedAt: now }).execute()
    await setReminders(customer, true)
    await setReminders(customer, true)
    const never = new AbortController().signal
    const remind = async (days: number): Promise<number> => {
      const job = testContext(db, { now: new Date(now.getTime() + days * 86_400_000) })
      await Promise.all([1, 2, 3].map(() => sendReminders(job, never)))
      return (await mailsOf(db)).split('It’s time for a refill').length - 1
    }
    const none = await remind(22)
    expect(none).toBe(0)
    const once = await remind(23)
    expect(once).toBeGreaterThan(0)
    const mails = await mailsOf(db)
    expect(mails).not.toMatch(/xanomeline/i)
    expect(await remind(24)).toBe(once)
    expect(await remind(40)).toBe(once)
    expect(await db.selectFrom('sentReminders').select('fillId').execute()).toHaveLength(1)

    const [, token = ''] = /refill-reminders\/stop\?token=([\w-]{43})/.exec(mails) ?? []
    await stopReminders(testContext(db), { token })
    await expect(stopReminders(testContext(db), { token })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await db.selectFrom('refillReminders').select('userId').execute()).toEqual([])
  })
})
