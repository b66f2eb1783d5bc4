import type { Db } from '#db/engine/client.ts'
import { listQueues } from '#db/monitoring/queues.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addProduct, testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

const ago = (minutes: number): Date => new Date(testDay.getTime() - minutes * 60_000)
const [created, due, later] = [ago(60), ago(5), ago(-5)]

async function stateOf(db: Db, queue: string) {
  const { waiting, oldest, retriedSince, failed } =
    (await listQueues(db, testDay)).find(({ name }) => name === queue) ?? expect.unreachable()
  return { waiting, oldest, retriedSince, failed }
}
const empty = { waiting: 0, oldest: null, retriedSince: null, failed: 0 }

eachEngine((_engine, openDb) => {
  test('an email or a refund that failed shows since when it is late, though its next try is not due', async () => {
    const db = await openDb()
    const mail = { sealedMail: 'x', createdAt: created, sentAt: null, failedAt: null }
    await db
      .insertInto('outbox')
      .values([
        { ...mail, id: 'never tried', attempts: 0, dueAt: due },
        { ...mail, id: 'sent', attempts: 3, dueAt: due, sentAt: due },
      ])
      .execute()
    expect(await stateOf(db, 'outbox')).toEqual({ ...empty, waiting: 1, oldest: due })
    await db
      .insertInto('outbox')
      .values({ ...mail, id: 'deferred', attempts: 4, dueAt: later })
      .execute()
    await db
      .insertInto('outbox')
      .values({ ...mail, id: 'given up', attempts: 60, dueAt: due, failedAt: due })
      .execute()
    expect(await stateOf(db, 'outbox')).toEqual({ waiting: 1, oldest: due, retriedSince: created, failed: 1 })

    const refund = {
      checkoutId: 'c',
      paymentId: 'p',
      amountCents: 100,
      reason: 'cancelled' as const,
      createdAt: created,
    }
    await db
      .insertInto('refunds')
      .values([
        { ...refund, id: 'done', idempotencyKey: '1', attempts: 2, dueAt: null, doneAt: due },
        { ...refund, id: 'retried', idempotencyKey: '2', attempts: 1, dueAt: later },
      ])
      .execute()
    expect(await stateOf(db, 'refunds')).toEqual({ ...empty, retriedSince: created })
  })

  test('a payment that cannot be captured is late since it was decided, one that waits is not', async () => {
    const db = await openDb()
    const hold = { authorizedCents: 100, createdAt: ago(900), updatedAt: created, attempts: 2, dueAt: later }
    await db
      .insertInto('paymentHolds')
      .values([
        { ...hold, checkoutId: 'waiting', paymentId: 'p1', status: 'authorized' },
        { ...hold, checkoutId: 'captured', paymentId: 'p2', status: 'captured', dueAt: null },
      ])
      .execute()
    expect(await stateOf(db, 'payment_holds')).toEqual(empty)
    await db
      .insertInto('paymentHolds')
      .values({ ...hold, checkoutId: 'late', paymentId: 'p3', status: 'capturing', amountCents: 100 })
      .execute()
    expect(await stateOf(db, 'payment_holds')).toEqual({ ...empty, retriedSince: created })
  })

  test('a file that the storage refuses to delete is late since it was discarded', async () => {
    const db = await openDb()
    const file = {
      contentType: 'application/pdf' as const,
      byteSize: 1,
      wrappedKey: 'x',
      userId: await makeUser(db),
      createdAt: ago(900),
      registeredAt: ago(900),
    }
    await db
      .insertInto('files')
      .values([
        { ...file, id: 'kept', storageKey: 'kept' },
        { ...file, id: 'discarded', storageKey: 'discarded', discardedAt: created },
      ])
      .execute()
    expect(await stateOf(db, 'files')).toEqual({
      ...empty,
      waiting: 1,
      oldest: created,
      retriedSince: created,
    })
  })

  test('a message waits for the pharmacy, and the picture of a deleted product for nothing', async () => {
    const db = await openDb()
    const userId = await makeUser(db)
    for (const waitingFor of ['pharmacy', 'customer', 'none'] as const)
      await db
        .insertInto('messageThreads')
        .values({ subjectId: waitingFor, userId, waitingFor, updatedAt: created })
        .execute()
    expect(await stateOf(db, 'messages')).toEqual({ ...empty, waiting: 1, oldest: created })

    const productId = await addProduct(db)
    await db
      .insertInto('pictureFetches')
      .values({ productId, url: 'https://pictures.example/1.png', pictureId: 'p', dueAt: due })
      .execute()
    expect(await stateOf(db, 'pictures')).toEqual({ ...empty, waiting: 1, oldest: due })
    await db.updateTable('products').set({ deletedAt: due }).where('id', '=', productId).execute()
    expect(await stateOf(db, 'pictures')).toEqual(empty)
  })
})
