import { messageBounds } from '#domain/messages/messages.ts'
import { newId } from '#domain/ids.ts'
import { sendToPharmacy } from '#server/messages/send-message.ts'
import { asCustomer } from '#tests/support/checkouts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('the last message of a full thread is stored once when it is sent twice; the next is refused', async () => {
    const db = await openDb()
    const customer = await asCustomer(db)
    const userId = customer.user?.id ?? ''
    const { id: subjectId } = await placeOrder(db, userId)
    const first = { subjectId, text: 'First', requestKey: newId() }
    await sendToPharmacy(customer, first)
    const { sealedText } = await db.selectFrom('messages').select('sealedText').executeTakeFirstOrThrow()
    const rows = Array.from({ length: messageBounds.perThread - 2 }, () => ({
      id: newId(testDay.getTime() - 60_000),
      subjectId,
      sender: 'customer' as const,
      authorId: userId,
      sealedText,
      requestKey: newId(),
      createdAt: testDay,
    }))
    await db.insertInto('messages').values(rows).execute()
    const last = { subjectId, text: 'Last', requestKey: newId() }
    for (let i = 0; i < 2; i++) await sendToPharmacy(customer, last)
    await expect(sendToPharmacy(customer, { ...last, requestKey: newId() })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await db.selectFrom('messages').select('id').execute()).toHaveLength(messageBounds.perThread)
  })
})
