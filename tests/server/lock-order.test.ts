import { lockProducts } from '#db/catalog/catalog-edit.ts'
import { lockUser } from '#db/accounts/users.ts'
import { getEngine, type Db } from '#db/engine/client.ts'
import { lockVariants } from '#db/inventory/lock-variants.ts'
import { createThread, updateThread } from '#db/messages/messages.ts'
import { bumpReviewVersion, reviewNewAnswer } from '#db/messages/subjects.ts'
import { lockOrder, lockOrdersOf } from '#db/orders/orders.ts'
import { lockIngredientNames } from '#db/screening/care-lists.ts'
import { newId } from '#domain/ids.ts'
import { lastMessageIdOf } from '#domain/messages/messages.ts'
import { refreshTouchedProducts } from '#server/catalog/refresh-touched-products.ts'
import { updateProduct } from '#server/catalog/update-product.ts'
import { closeThread, listThread } from '#server/messages/list-thread.ts'
import { answerCustomer, sendToPharmacy } from '#server/messages/send-message.ts'
import { setOrderStatuses } from '#server/orders/set-order-statuses.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { deleteUser } from '#server/privacy/delete-user.ts'
import { askAboutLine } from '#server/reviews/ask-about-line.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addCareLists } from '#tests/support/alerts.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { asCustomer } from '#tests/support/checkouts.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { untilWaiting } from '#tests/support/lock-waits.ts'
import { placeOrder, readStock } from '#tests/support/orders.ts'
import { lineOf, openCase, refusal } from '#tests/support/review-cases.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

/**
 * Runs `first` in a transaction, starts `other`, which may wait for it, and then runs `last` in the
 * transaction. Returns the result of `other`. Rejects when one of them fails, such as by a
 * deadlock.
 */
async function interleave<T>(
  db: Db,
  {
    first,
    other,
    last,
    ...waiting
  }: {
    first: (tx: Db) => Promise<unknown>
    other: () => Promise<T>
    last: (tx: Db) => Promise<unknown>
    /** How many connections `other` waits with; 1 by default. */
    waiters?: number
    /** Whether `other` may also end without waiting. */
    mayEnd?: boolean
  },
): Promise<T> {
  let ended: Promise<T> | undefined
  await db.transaction().execute(async (tx) => {
    await first(tx)
    ended = other()
    // It is awaited below.
    ended.catch(() => {})
    await untilWaiting(db, ended, waiting)
    await last(tx)
  })
  if (!ended) throw new Error('The transaction has not started the other one.')
  return ended
}

/** Postgres then ends this transaction at a deadlock, and not the one that waited before it. */
const endsFirst = async (tx: Db): Promise<void> => {
  if (getEngine(tx) === 'postgres') await sql`set local deadlock_timeout = '10ms'`.execute(tx)
}

eachEngine((_engine, openDb) => {
  test('a bulk change of a customer’s orders waits for the deletion of the account before it locks any', async () => {
    const db = await openDb()
    const { order, customerId } = await openCase(db)
    const other = await placeOrder(db, customerId)
    const results = await interleave(db, {
      // As a deletion does.
      first: (tx) => lockUser(tx, customerId),
      other: () => setOrderStatuses(asAdmin(db), { ids: [other.id, order.id], status: 'delivered' }),
      last: async (tx) => {
        await endsFirst(tx)
        await lockOrdersOf(tx, customerId)
      },
    })
    expect(results).toMatchObject([{ error: null }, { error: expect.stringContaining('waits') }])
  })

  test('a bulk cancellation locks the orders of a customer as the deletion of the account does', async () => {
    const db = await openDb()
    const customer = await makeUser(db)
    const [first, second] = [await placeOrder(db, customer), await placeOrder(db, customer)]
    const results = await interleave(db, {
      first: (tx) => lockOrder(tx, first.id),
      other: () => setOrderStatuses(asAdmin(db), { ids: [second.id, first.id], status: 'cancelled' }),
      last: async (tx) => {
        await endsFirst(tx)
        await lockOrder(tx, second.id)
      },
    })
    expect(results).toMatchObject([{ isChanged: true }, { isChanged: true }])
  })

  test('deleting an account waits for a refund of a shipped order before it locks stock', async () => {
    const db = await openDb()
    const variantId = await addVariant(db, { stockQuantity: 9 })
    const customer = await asCustomer(db)
    const userId = customer.user?.id ?? ''
    const items = [{ productVariantId: variantId, quantity: 2 }]
    const shipped = await placeOrder(db, userId, { items })
    await setOrderStatus(asAdmin(db), shipped.id, { status: 'shipped' })
    await placeOrder(db, userId, { items })
    await interleave(db, {
      // As a refund that restocks does.
      first: (tx) => lockOrder(tx, shipped.id),
      other: () => deleteUser(customer, userId),
      last: (tx) => lockVariants(tx, [variantId]),
    })
    expect(await lockOrder(db, shipped.id)).toMatchObject({ status: 'shipped', userId: null })
    expect(await readStock(db, variantId)).toBe(7)
  })

  test('deleting an account does not deadlock with an answer of its customer', async () => {
    const db = await openDb()
    const { pharmacist, order, customer, customerId } = await openCase(db)
    const { id: lineId, version } = lineOf(await getCase(pharmacist, order.id))
    await askAboutLine(pharmacist, { lineId, version, question: 'Which dose do you take?' })
    // A note, which leaves with the account.
    await db.updateTable('lineReviews').set({ sealedDecision: 'v1.note' }).execute()
    await interleave(db, {
      // As an answer does.
      first: (tx) => updateThread(tx, { subjectId: order.id, waitingFor: 'pharmacy', now: testDay }),
      other: () => deleteUser(customer, customerId),
      last: (tx) => reviewNewAnswer(tx, { id: order.id, kind: 'order', userId: customerId }),
    })
    expect(await db.selectFrom('messageThreads').select('subjectId').execute()).toEqual([])
  })

  test('deleting an account does not deadlock with a message about a prescription', async () => {
    const db = await openDb()
    const { prescription, customer, customerId } = await openCase(db)
    await sendToPharmacy(customer, {
      subjectId: prescription.id,
      text: 'Is it readable?',
      requestKey: newId(),
    })
    await interleave(db, {
      first: (tx) => updateThread(tx, { subjectId: prescription.id, waitingFor: 'pharmacy', now: testDay }),
      other: () => deleteUser(customer, customerId),
      last: (tx) => bumpReviewVersion(tx, prescription.id),
    })
    expect(await db.selectFrom('messageThreads').select('subjectId').execute()).toEqual([])
  })

  test('a pharmacist who asks again waits for the customer’s answer, and is then stale', async () => {
    const db = await openDb()
    const { pharmacist, order, customerId } = await openCase(db)
    const { id: lineId, version } = lineOf(await getCase(pharmacist, order.id))
    const asked = await askAboutLine(pharmacist, {
      lineId,
      version,
      lastMessageId: '',
      question: 'Which dose do you take?',
    })
    const again = {
      lineId,
      version: lineOf(asked).version,
      lastMessageId: '',
      question: 'Which dose do you take now?',
    }
    const error = await interleave(db, {
      // As an answer does.
      first: (tx) => updateThread(tx, { subjectId: order.id, waitingFor: 'pharmacy', now: testDay }),
      other: () => refusal(askAboutLine(pharmacist, again)),
      last: (tx) => reviewNewAnswer(tx, { id: order.id, kind: 'order', userId: customerId }),
    })
    expect(error).toMatchObject({ code: 'CONFLICT', current: { id: order.id } })
    expect(lineOf(await getCase(pharmacist, order.id)).status).toBe('waiting')
    expect(await db.selectFrom('messages').select('id').execute()).toHaveLength(1)
  })

  test('a pharmacist who closes or answers a thread waits for the customer’s new message', async () => {
    const db = await openDb()
    const { pharmacist, order, customer } = await openCase(db)
    const write = (text: string) => ({ subjectId: order.id, text, requestKey: newId() })
    await sendToPharmacy(customer, write('When will it ship?'))
    const { messages } = await listThread(pharmacist, order.id)
    const seen = { subjectId: order.id, lastMessageId: lastMessageIdOf({ messages }) }
    const errors = await interleave(db, {
      first: (tx) => sendToPharmacy({ ...customer, db: tx }, write('I have a fever.')),
      other: () =>
        Promise.all([
          refusal(closeThread(pharmacist, seen)),
          refusal(answerCustomer(pharmacist, { ...write('Today'), ...seen })),
        ]),
      last: async () => {},
      waiters: 2,
    })
    expect(errors.map(({ code }) => code)).toEqual(['CONFLICT', 'CONFLICT'])
    const after = await listThread(pharmacist, order.id)
    expect([after.waitingFor, after.messages.length]).toEqual(['pharmacy', 2])
  })

  test('the first message about an order does not deadlock with a question about a line', async () => {
    const db = await openDb()
    const { order, customer, customerId } = await openCase(db)
    const input = { subjectId: order.id, text: 'When will it ship?', requestKey: newId() }
    await interleave(db, {
      // As a question does, in the transaction that changes the line.
      first: (tx) => lockOrder(tx, order.id),
      other: () => sendToPharmacy(customer, input),
      last: (tx) => createThread(tx, { id: order.id, kind: 'order', userId: customerId }, testDay),
      // The lock does not block new rows that reference the order.
      mayEnd: true,
    })
    expect(await db.selectFrom('messages').select('sender').execute()).toEqual([{ sender: 'customer' }])
  })

  test.each([
    [
      'a new name of a product',
      (db: Db, id: string) => updateProduct(asAdmin(db), id, { name: 'Warfarin' }),
      'WARFARIN',
    ],
    ['a catalog import that touched a product', (db: Db) => refreshTouchedProducts(db, testDay), 'IBUPROFEN'],
  ])('an import of care lists does not deadlock with %s', async (_what, edit, ingredient) => {
    const db = await openDb()
    await addCareLists(db, testDay)
    const productId = await addProduct(db, { name: 'Ibuprofen' })
    await addVariant(db, { productId })
    await db.insertInto('catalogTouched').values({ productId }).execute()
    await interleave(db, {
      // As an import does that changes what names mean.
      first: (tx) => lockIngredientNames(tx, 'change'),
      other: async () => void (await edit(db, productId)),
      last: async (tx) => {
        await endsFirst(tx)
        await lockProducts(tx, [productId])
      },
    })
    const ingredients = await db.selectFrom('productIngredients').select('ingredient').execute()
    expect(ingredients).toEqual([{ ingredient }])
  })
})
