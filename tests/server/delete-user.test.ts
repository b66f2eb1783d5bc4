import type { Db } from '#db/engine/client.ts'
import { findCheckout } from '#db/checkout/checkouts.ts'
import { lockOrder } from '#db/orders/orders.ts'
import { orderStatuses } from '#domain/orders/order-status.ts'
import { completeEarlierData } from '#server/jobs/complete-earlier-data.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { deleteAccount, deleteUser } from '#server/privacy/delete-user.ts'
import { getProfile } from '#server/accounts/get-profile.ts'
import { startSession } from '#server/accounts/start-session.ts'
import { openUserKey } from '#server/crypto/user-key.ts'
import { openCheckout as readCheckout } from '#server/checkout/sealed-checkout.ts'
import { unsealMail } from '#server/mail/sealed-mail.ts'
import { applyOrderChange } from '#server/orders/apply-order-change.ts'
import { findOrder } from '#server/orders/find-order.ts'
import { addNote } from '#server/orders/add-note.ts'
import { refuseLines } from '#server/orders/refuse-lines.ts'
import { readOrderContent } from '#server/orders/order-reader.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine, onEngine } from '#tests/support/engines.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { checkoutOf, stockOf } from '#tests/support/checkout-state.ts'
import { asCustomer, openCheckout, pay } from '#tests/support/checkouts.ts'
import { addItem } from '#tests/support/dispensing.ts'
import { placeOrder, readStock } from '#tests/support/orders.ts'
import { placeHeldOrder, runMoneyJobs } from '#tests/support/payment-holds.ts'
import { clearOrder } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { sql } from 'kysely'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const error = (code: string) => expect.objectContaining({ code })
const idsOf = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id)

const noCustomer = { customer: { name: '', email: '' }, shipTo: null }
/** The customer in the sealed content of a checkout. */
async function customerOf(db: Db, checkoutId: string): Promise<unknown> {
  const row = await findCheckout(db, checkoutId)
  if (!row) return null
  const { customer, shipTo } = readCheckout(testKeys, row)
  return { customer, shipTo }
}

eachEngine((_engine, openDb) => {
  test('deleting a user destroys the key and discards the files; the audit log stays', async () => {
    const db = await openDb()
    const [other, id] = [await makeUser(db), await makeUser(db, { profile: { allergies: 'Xanomeline' } })]
    const ctx = testContext(db, { user: signedIn(id) })
    await startSession(ctx, { userId: id, userAgent: 'Firefox' })
    await addPrescription(db, id)
    await addPrescription(db, other)
    const admin = asAdmin(db)
    const [order, others] = [await placeOrder(db, id), await placeOrder(db, other)]
    for (const { id } of [order, others]) await addNote(admin, { id, text: 'Asked about Xanomeline.' })
    await deleteUser(ctx, id)

    expect(await openUserKey(ctx, id)).toBeNull()
    const notes = await db.selectFrom('orderNotes').select('orderId').execute()
    expect(notes).toEqual([{ orderId: others.id }])
    await expect(addNote(admin, { id: order.id, text: 'Too late.' })).rejects.toEqual(error('NOT_FOUND'))
    await expect(getProfile(ctx)).rejects.toEqual(error('UNAUTHENTICATED'))
    expect(await idsOf(db)).toEqual([other])
    for (const table of ['sessions', 'prescriptions', 'shippingAddresses', 'oneTimeTokens'] as const) {
      const rows = await db.selectFrom(table).select('userId').execute()
      expect(
        rows.filter(({ userId }) => userId === id),
        table,
      ).toEqual([])
    }
    expect(await db.selectFrom('prescriptions').select('userId').execute()).toEqual([{ userId: other }])
    const files = await db.selectFrom('files').select(['userId', 'discardedAt']).execute()
    expect(files.filter(({ discardedAt }) => discardedAt !== null).map(({ userId }) => userId)).toEqual([id])
    const log = await db.selectFrom('auditLog').select('action').where('subjectId', '=', id).execute()
    expect(log.map(({ action }) => action)).toContain('account.deleted')
    expect(JSON.stringify(log)).not.toMatch(/Xanomeline/)
  })

  test('an order that was paid and has not shipped is refunded and restocked with its account', async () => {
    const db = await openDb()
    for (let round = 0; round < 4; round++) {
      const ctx = await asCustomer(db)
      const variantId = await addVariant(db, { stockQuantity: 9, priceCents: 500 })
      const userId = ctx.user?.id ?? ''
      const paid = await placeOrder(db, userId, { items: [{ productVariantId: variantId, quantity: 2 }] })
      // The order of another payment is made at the same moment.
      const { payment } = await openCheckout(ctx, variantId)
      await pay(db, payment)
      await Promise.all([finalizeCheckout(ctx, payment.id).catch(() => null), deleteUser(ctx, userId)])
      const order = await lockOrder(db, paid.id)
      expect(order).toMatchObject({ status: 'cancelled', userId: null, capturedCents: 1000 })
      await runMoneyJobs(ctx, new Date(ctx.now.getTime() + 3600_000))
      expect(await lockOrder(db, paid.id)).toMatchObject({ refundedCents: 1000 })
      expect(await readStock(db, variantId)).toBe(9)
    }
    const stranded = db.selectFrom('orders').select('id').where('userId', 'is', null)
    expect(await stranded.where('status', '<>', 'cancelled').execute()).toEqual([])
  })

  test('emails confirm the deletion and the refund of each cancelled order', async () => {
    const db = await openDb()
    const ctx = await asCustomer(db)
    const userId = ctx.user?.id ?? ''
    const variantId = await addVariant(db, { stockQuantity: 9, priceCents: 500 })
    const { id } = await placeOrder(db, userId, { items: [{ productVariantId: variantId, quantity: 2 }] })
    await deleteUser(ctx, userId)
    await runMoneyJobs(ctx, new Date(ctx.now.getTime() + 3600_000))
    const rows = await db.selectFrom('outbox').selectAll().orderBy('id').execute()
    const sent = rows.map((row) => unsealMail(testKeys, row.id, row.sealedMail ?? ''))
    expect(sent).toMatchObject([
      { template: 'order-update', props: { milestone: 'received' } },
      {
        template: 'order-update',
        props: { milestone: 'cancelled', amount: '$10.00', isLast: true, orderRef: id.slice(-8) },
      },
      { template: 'account-deleted' },
    ])
    expect(new Set(sent.slice(1).map(({ to }) => to.address)).size).toBe(1)
  })

  test('a change of an order that was read before its customer was deleted conflicts', async () => {
    const db = await openDb()
    const id = await makeUser(db)
    const order = await placeOrder(db, id)
    await db.updateTable('orders').set({ status: 'shipped' }).where('id', '=', order.id).execute()
    const admin = asAdmin(db)
    const row = await findOrder(admin, order.id)
    await deleteUser(testContext(db, { user: signedIn(id) }), id)
    const changed = { ...row, status: 'delivered' as const, cancels: false }
    expect(await applyOrderChange(admin, row, changed)).toBeNull()
    expect(await lockOrder(db, order.id)).toMatchObject({ status: 'shipped', userId: null })
  })

  test.each([
    ['a refill', false],
    ['a fill of a chosen prescription', true],
  ])('%s that was paid without an order is voided and released with its account', async (_, isChosen) => {
    const db = await openDb()
    const ctx = await asCustomer(db)
    const userId = ctx.user?.id ?? ''
    const productId = await addProduct(db, { category: 'Rx' })
    const variantId = await addVariant(db, { productId, stockQuantity: 9 })
    const { id: prescriptionId } = await addPrescription(db, userId)
    await addItem(db, { userId, prescriptionId, variantId })
    // The item covers the line, so the customer need not choose the prescription.
    const { payment } = await openCheckout(ctx, variantId, {
      prescriptionId: isChosen ? prescriptionId : null,
    })
    await pay(db, payment)
    await deleteUser(ctx, userId)
    await runMoneyJobs(ctx, new Date(ctx.now.getTime() + 60_000))
    expect(await ctx.payments.findPayment(payment.id)).toMatchObject({ status: 'canceled' })
    expect(await checkoutOf(db, payment.id)).toMatchObject({ status: 'refunded', checkAt: null })
    expect(await stockOf(db, variantId)).toMatchObject({ stockQuantity: 9, reservedQuantity: 0 })
    expect(await customerOf(db, (await checkoutOf(db, payment.id)).id)).toEqual(noCustomer)
  })

  test('name, email address and shipping address leave all orders, also one with a refund due', async () => {
    const db = await openDb()
    const id = await makeUser(db)
    for (const status of orderStatuses) {
      const order = await placeOrder(db, id)
      await db.updateTable('orders').set({ status }).where('id', '=', order.id).execute()
    }
    const others = await placeOrder(db, await makeUser(db))
    await deleteUser(testContext(db, { user: signedIn(id) }), id)
    const due = db.selectFrom('refunds').select('id').where('dueAt', 'is not', null)
    expect(await due.execute()).toHaveLength(2)
    const rows = await db.selectFrom('orders').selectAll().where('id', '!=', others.id).execute()
    for (const row of rows) {
      const { customer, shipTo, lines } = readOrderContent(testKeys, row)
      expect([customer, shipTo, lines.length]).toEqual([
        { name: '', email: '' },
        { text: '', parts: null },
        1,
      ])
      expect(await customerOf(db, row.checkoutId)).toEqual(noCustomer)
    }
    expect(rows).toHaveLength(orderStatuses.length)
    const other = await db
      .selectFrom('orders')
      .selectAll()
      .where('id', '=', others.id)
      .executeTakeFirstOrThrow()
    expect(readOrderContent(testKeys, other).customer.email).not.toBe('')
  })

  test('what staff wrote about an order’s lines leaves with the account', async () => {
    const db = await openDb()
    const { ctx, order, rxLine } = await placeHeldOrder(db)
    await clearOrder(db, order.id)
    await runMoneyJobs(ctx)
    const admin = asAdmin(db)
    const reason = 'Interacts with warfarin'
    await refuseLines(admin, await findOrder(admin, order.id), [{ lineId: rxLine.id, reason }])
    const sealed = () => db.selectFrom('lineReviews').select('sealedDecision').execute()
    expect(await sealed()).toEqual([{ sealedDecision: expect.stringMatching(/^v1/) }])
    const userId = ctx.user?.id ?? ''
    await deleteUser(testContext(db, { user: signedIn(userId) }), userId)
    expect(await sealed()).toEqual([{ sealedDecision: null }])
    const row = await db.selectFrom('orders').selectAll().executeTakeFirstOrThrow()
    expect(readOrderContent(testKeys, row).refusedLines).toMatchObject([{ lineId: rxLine.id, reason: '' }])
    // An account that was deleted before notes were, and a damaged order of another one.
    await db.updateTable('lineReviews').set({ sealedDecision: 'v1.of.before' }).execute()
    await db.updateTable('orders').set({ sealedOrder: 'v1.damaged' }).execute()
    await completeEarlierData(testContext(db))
    expect(await sealed()).toEqual([{ sealedDecision: 'v1.of.before' }])
    await db.updateTable('orders').set({ sealedOrder: row.sealedOrder }).execute()
    await completeEarlierData(testContext(db))
    expect(await sealed()).toEqual([{ sealedDecision: null }])
  })

  test('a customer must enter the password to delete the account', async () => {
    const db = await openDb()
    const email = 'zoe@customer.example'
    const id = await makeUser(db, { email, passwordHash: await hashPassword('correct horse battery') })
    const ctx = testContext(db, { user: signedIn(id, { email }) })
    const proof = { currentPassword: '', code: '', email: '' }
    for (const currentPassword of ['', 'wrong horse battery']) {
      await expect(deleteAccount(ctx, { ...proof, email, currentPassword })).rejects.toMatchObject({
        code: 'INVALID',
        fields: { currentPassword: expect.any(String) },
      })
    }
    expect(await idsOf(db)).toEqual([id])
    await deleteAccount(ctx, { ...proof, currentPassword: 'correct horse battery' })
    expect(await idsOf(db)).toEqual([])
  })

  test('a customer with an identity provider must enter the email address', async () => {
    const db = await openDb()
    const email = 'zoe@customer.example'
    const id = await makeUser(db, { email })
    const ctx = testContext(db, { user: signedIn(id, { email }) })
    const proof = { currentPassword: '', code: '' }
    await expect(deleteAccount(ctx, { ...proof, email: 'eve@customer.example' })).rejects.toMatchObject({
      code: 'INVALID',
      fields: { email: expect.any(String) },
    })
    expect(await idsOf(db)).toEqual([id])
    await deleteAccount(ctx, { ...proof, email: ' Zoe@Customer.example ' })
    expect(await idsOf(db)).toEqual([])
  })

  test('admins can delete other users but not themselves; customers only themselves', async () => {
    const db = await openDb()
    const [admin, customer, victim] = [
      await makeUser(db, { isAdmin: true }),
      await makeUser(db),
      await makeUser(db),
    ]
    const as = (id: string, isAdmin = false) => testContext(db, { user: signedIn(id, { isAdmin }) })
    await expect(deleteUser(testContext(db), victim)).rejects.toEqual(error('UNAUTHENTICATED'))
    await expect(deleteUser(as(customer), victim)).rejects.toEqual(error('FORBIDDEN'))
    await expect(deleteUser(as(admin, true), admin)).rejects.toEqual(error('CONFLICT'))
    await expect(
      deleteAccount(as(admin, true), { currentPassword: '', code: '', email: '' }),
    ).rejects.toEqual(error('CONFLICT'))
    await deleteUser(as(admin, true), victim)
    for (const missing of [victim, 'unknown', '']) {
      await expect(deleteUser(as(admin, true), missing)).rejects.toEqual(error('NOT_FOUND'))
    }
    expect(await idsOf(db)).toEqual([admin, customer].toSorted())
  })

  test('two admins deleting each other at once leave one', async () => {
    const db = await openDb()
    const [one, two] = [await makeUser(db, { isAdmin: true }), await makeUser(db, { isAdmin: true })]
    const outcomes = await Promise.allSettled([
      deleteUser(testContext(db, { user: signedIn(one, { isAdmin: true }) }), two),
      deleteUser(testContext(db, { user: signedIn(two, { isAdmin: true }) }), one),
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await idsOf(db)).toHaveLength(1)
  })

  test('notes written during the deletion of their customer do not remain', async () => {
    const db = await openDb()
    const admin = asAdmin(db)
    for (let round = 0; round < 8; round++) {
      const id = await makeUser(db)
      const order = await placeOrder(db, id)
      const texts = ['One.', 'Two.', 'Three.']
      await Promise.allSettled([
        ...texts.map((text) => addNote(admin, { id: order.id, text })),
        deleteUser(testContext(db, { user: signedIn(id) }), id),
      ])
      expect(await db.selectFrom('orderNotes').select('id').execute()).toEqual([])
    }
  })
})

onEngine('sqlite', (_openDb, openWithUrl) => {
  test('after a deletion the database file has no copy of the key, not even in free pages', async () => {
    const { db, url } = await openWithUrl()
    const [other, id] = [await makeUser(db), await makeUser(db)]
    const { wrappedKey } = await db
      .selectFrom('userKeys')
      .select('wrappedKey')
      .where('userId', '=', id)
      .executeTakeFirstOrThrow()
    const readFile = async (): Promise<string> => {
      await sql`pragma wal_checkpoint(truncate)`.execute(db)
      return readFileSync(url.slice('sqlite:'.length), 'latin1')
    }
    expect(await readFile()).toContain(wrappedKey.slice(-30))
    await deleteUser(testContext(db, { user: signedIn(id) }), id)
    const file = await readFile()
    expect(file).toContain(other)
    expect(file.includes(wrappedKey.slice(-30))).toBe(false)
  })
})
