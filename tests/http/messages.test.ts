import { newId } from '#domain/ids.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { mainOf, readMain } from '#tests/support/page-text.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

async function signedInAs(shop: Shop, role?: 'pharmacist'): Promise<Visitor & { id: string }> {
  const id = await makeUser(shop.db, { roles: role ? [role] : [] })
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, id)
  return { ...visitor, id }
}

/** The hidden fields of the pharmacist's form, as the page shows it. */
const fieldsOf = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...mainOf(html).matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )

eachShop((openShopOf) => {
  test('a pharmacist’s old page does not answer or close over a new message, and keeps what was typed', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const [customer, pharmacist] = [await signedInAs(shop), await signedInAs(shop, 'pharmacist')]
    const { id } = await placeOrder(shop.db, customer.id)
    const write = async (message: string): Promise<void> => {
      const form = { intent: 'message', id, requestKey: newId(), message }
      expect((await customer.post(`/orders/${id}`, form)).status).toBe(303)
    }
    const path = `/admin/messages/${id}`
    await write('When will it ship?')
    const old = fieldsOf(await (await pharmacist.get(path)).text())
    await write('I have a fever.')

    let html = ''
    for (const [intent, message] of [
      ['answer', 'It ships today.'],
      ['ask', 'Are you at home?'],
      ['close', ''],
    ] as const) {
      const refused = await pharmacist.post(path, { ...old, intent, message })
      html = await refused.text()
      expect([intent, refused.status, readMain(html)]).toEqual([
        intent,
        409,
        expect.stringContaining('The customer wrote again. Read the new message first.'),
      ])
      expect(readMain(html)).toContain('I have a fever.')
      expect(html).toContain(message)
    }
    // The page that shows the new message can close the thread, but not over a typed answer.
    const typed = { ...fieldsOf(html), intent: 'close', message: 'It ships <today>.' }
    const refused = await pharmacist.post(path, typed)
    const page = await refused.text()
    expect([refused.status, readMain(page)]).toEqual([
      422,
      expect.stringContaining('Send your answer, or clear it first.'),
    ])
    expect(page).toContain('It ships &lt;today&gt;.')
    const closed = await pharmacist.post(path, { ...fieldsOf(page), intent: 'close', message: ' \r\n' })
    expect([closed.status, closed.headers.get('location')]).toEqual([303, '/admin/messages'])
    expect(await shop.db.selectFrom('messageThreads').select('waitingFor').execute()).toEqual([
      { waitingFor: 'none' },
    ])
    expect(await shop.db.selectFrom('messages').select('id').execute()).toHaveLength(2)
  })

  test('a pharmacist who writes first sends a message, and stays on it while the customer’s case is open', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const [customer, pharmacist] = [await signedInAs(shop), await signedInAs(shop, 'pharmacist')]
    const { id } = await addPrescription(shop.db, customer.id, { now: new Date() })
    const path = `/admin/messages/${id}`
    for (const [button, intent, shown] of [
      ['Send message', 'answer', 'Message sent'],
      ['Ask a question', 'ask', 'Question sent'],
    ] as const) {
      const html = await (await pharmacist.get(path)).text()
      expect(readMain(html)).toContain(button)
      // The release before knows these intents only.
      expect(html).toContain(`value="${intent}" name="intent">${button}<`)
      expect(readMain(html)).not.toContain('Send answer')
      const sent = await pharmacist.post(path, { ...fieldsOf(html), intent, message: `By ${intent}.` })
      expect([sent.status, sent.headers.get('location')]).toEqual([303, path])
      const stayed = readMain(await (await pharmacist.get(path)).text())
      expect(stayed).toContain(`By ${intent}.`)
      expect(stayed).toContain(shown)
    }
  })

  test('a pharmacist who writes about an order without an open case returns to the list', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const [customer, pharmacist] = [await signedInAs(shop), await signedInAs(shop, 'pharmacist')]
    const { id } = await placeOrder(shop.db, customer.id)
    const write = { intent: 'message', id, requestKey: newId(), message: 'When will it ship?' }
    expect((await customer.post(`/orders/${id}`, write)).status).toBe(303)
    const path = `/admin/messages/${id}`
    const form = fieldsOf(await (await pharmacist.get(path)).text())
    // The page was opened before the customer wrote.
    const first = { ...form, isFirst: '1' }
    const sent = await pharmacist.post(path, { ...first, intent: 'answer', message: 'Today.' })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '/admin/messages'])
  })
})
