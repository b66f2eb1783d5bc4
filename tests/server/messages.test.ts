import type { Db } from '#db/engine/client.ts'
import { insertMessage } from '#db/messages/messages.ts'
import type { Role } from '#domain/accounts/permissions.ts'
import { closeThreadSchema, messageSchema } from '#domain/messages/message-input.ts'
import { lastMessageIdOf } from '#domain/messages/messages.ts'
import { parseCursor } from '#domain/grid.ts'
import { idOfTime, newId, timeOfId } from '#domain/ids.ts'
import { threadQuerySchema, type ThreadQuery } from '#domain/messages/thread-list.ts'
import type { Context } from '#server/context.ts'
import type { KeyRing } from '#server/crypto/key-ring.ts'
import { openUserKey } from '#server/crypto/user-key.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { closeThread, listOwnThreads, listThread, listWaitingThreads } from '#server/messages/list-thread.ts'
import { sealMessage } from '#server/messages/sealed-message.ts'
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
const reply = (subjectId: string, text: string, lastMessageId = '') => ({
  ...write(subjectId, text),
  lastMessageId,
})
/** The id of the last message that a pharmacist's page shows now. */
const lastSeen = async (ctx: Context, subjectId: string): Promise<string> =>
  lastMessageIdOf(await listThread(ctx, subjectId))
async function keyOf(customer: Context): Promise<KeyRing> {
  const key = await openUserKey(customer, idOf(customer))
  if (!key) throw new Error('The customer has no key.')
  return key
}
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

test('a thread is not closed over a typed answer', () => {
  const parse = (fields: object) =>
    closeThreadSchema.safeParse(fields).error?.issues.map(({ path, message }) => [path.join(), message])
  expect(parse({})).toBe(undefined)
  expect(parse({ message: ' \r\n\u200B', lastMessageId: newId() })).toBe(undefined)
  expect(parse({ message: 'Yes' })).toEqual([['message', 'Send your answer, or clear it first.']])
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
      () => answerCustomer(support, reply(id, 'Yes')),
      () => closeThread(support, { subjectId: id, lastMessageId: '' }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'FORBIDDEN' })

    const before = await mailsOf(db)
    const answer = reply(id, 'Yes, take xanomeline with food.', await lastSeen(pharmacist, id))
    await answerCustomer(pharmacist, answer)
    expect(await listWaiting(pharmacist)).toMatchObject({ rows: [], total: 0 })
    const mails = await mailsOf(db)
    expect(before).not.toContain('A reply about your order')
    expect(mails).toContain('A reply about your order')
    expect(mails).toContain(`https://shop.example/orders/${id}`)
    expect(mails).not.toMatch(/xanomeline/i)
    // The case is closed: reading it needs a reason again.
    await db.updateTable('orders').set({ status: 'delivered' }).execute()
    await expect(listThread(pharmacist, id)).rejects.toMatchObject({ code: 'REASON_REQUIRED' })

    const admin = await actAs(db, 'admin', 'pharmacist')
    await askCustomer(admin, reply(id, 'Which other medicines do you take?', answer.lastMessageId))
    expect((await listOwnThreads(customer, [id])).get(id)).toMatchObject({ waitingFor: 'customer' })
    await sendToPharmacy(customer, write(id, 'None.'))
    await closeThread(pharmacist, { subjectId: id, lastMessageId: await lastSeen(pharmacist, id) })
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

  test('a pharmacist who has not seen the customer’s last message cannot answer, ask or close', async () => {
    const db = await openDb()
    // An admin needs no reason once the thread is closed.
    const [customer, pharmacist] = [await actAs(db), await actAs(db, 'admin', 'pharmacist')]
    const { id } = await placeOrder(db, idOf(customer))
    const state = async () => {
      const { waitingFor, messages } = await listThread(pharmacist, id)
      return [waitingFor, messages.map(({ text }) => text)]
    }
    await sendToPharmacy(customer, write(id, 'M1'))
    const afterM1 = await lastSeen(pharmacist, id)
    await sendToPharmacy(customer, write(id, 'M2'))
    const unseen = expect.objectContaining({
      code: 'CONFLICT',
      message: 'The customer wrote again. Read the new message first.',
    })
    for (const call of [
      () => answerCustomer(pharmacist, reply(id, 'Yes', afterM1)),
      () => askCustomer(pharmacist, reply(id, 'Which one?', afterM1)),
      () => closeThread(pharmacist, { subjectId: id, lastMessageId: afterM1 }),
      () => closeThread(pharmacist, { subjectId: id, lastMessageId: '' }),
    ])
      await expect(call()).rejects.toEqual(unseen)
    expect(await state()).toEqual(['pharmacy', ['M1', 'M2']])
    expect(await mailsOf(db)).not.toContain('A reply about your order')

    // A repeated submission is no conflict, also when the customer wrote in between.
    const answer = reply(id, 'Yes', await lastSeen(pharmacist, id))
    await answerCustomer(pharmacist, answer)
    await sendToPharmacy(customer, write(id, 'M3'))
    await answerCustomer(pharmacist, answer)
    expect(await state()).toEqual(['pharmacy', ['M1', 'M2', 'Yes', 'M3']])
    await closeThread(pharmacist, { subjectId: id, lastMessageId: await lastSeen(pharmacist, id) })
    // A closed thread stays as it is.
    await closeThread(pharmacist, { subjectId: id, lastMessageId: '' })
    // What a colleague wrote does not hold up an answer.
    const afterM3 = await lastSeen(pharmacist, id)
    await answerCustomer(await actAs(db, 'admin', 'pharmacist'), reply(id, 'No', afterM3))
    await answerCustomer(pharmacist, reply(id, 'Perhaps', afterM3))
    expect(await state()).toEqual(['none', ['M1', 'M2', 'Yes', 'M3', 'No', 'Perhaps']])
  })

  test('a message sent twice is stored once, and one that was corrected in between is stored too', async () => {
    const db = await openDb()
    const [customer, pharmacist] = [await actAs(db), await actAs(db, 'pharmacist')]
    const { id: subjectId } = await placeOrder(db, idOf(customer))
    const message = write(subjectId, 'I take 5 mg')
    for (const text of ['I take 5 mg', 'I take 5 mg', 'I take 50 mg'])
      await sendToPharmacy(customer, { ...message, text })
    const { messages } = await listThread(pharmacist, subjectId)
    expect(messages.map(({ text }) => text)).toEqual(['I take 5 mg', 'I take 50 mg'])
  })

  test('a message comes after those of a process whose clock is ahead', async () => {
    const db = await openDb()
    const [customer, pharmacist] = [await actAs(db), await actAs(db, 'pharmacist')]
    const { id: subjectId } = await placeOrder(db, idOf(customer))
    await sendToPharmacy(customer, write(subjectId, 'M1'))
    const ahead = idOfTime(timeOfId(newId()) + 60_000)
    await insertMessage(db, {
      id: ahead,
      subjectId,
      sender: 'pharmacy',
      authorId: idOf(pharmacist),
      sealedText: sealMessage(await keyOf(customer), ahead, 'Answer'),
      requestKey: 'from the other process',
      createdAt: customer.now,
    })
    await sendToPharmacy(customer, write(subjectId, 'M2'))
    const { messages } = await listThread(pharmacist, subjectId)
    expect(messages.map(({ text }) => text)).toEqual(['M1', 'Answer', 'M2'])
    await expect(closeThread(pharmacist, { subjectId, lastMessageId: ahead })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
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
    await expect(answerCustomer(customer, reply(order.id, 'To me'))).rejects.toEqual(own)
    await sendToPharmacy(customer, write(order.id, 'It is 20 mg.'))
    // A case shows the messages about it.
    const colleague = await actAs(db, 'pharmacist')
    expect((await getCase(colleague, order.id)).threads).toMatchObject([{ subjectId: order.id }])
    const reads = db
      .selectFrom('auditLog')
      .select(['actorId', 'objectId'])
      .where('action', '=', 'messages.read')
    expect(await reads.execute()).toEqual([{ actorId: idOf(colleague), objectId: order.id }])
    const ownThread = { subjectId: order.id, lastMessageId: '' }
    await expect(closeThread(customer, ownThread)).rejects.toEqual(own)
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
