import { addVariant } from '#tests/support/catalog.ts'
import { customer, fill, outcomeOf, readPage } from '#tests/support/checkout-page.ts'
import { readMain } from '#tests/support/page-text.ts'
import { eachShop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

type Line = { shown: string; quantity: string }

/** Presses Proceed to Checkout or, without `from`, a line's Update, without scripts. */
function post(visitor: Visitor, lines: readonly Line[], from?: 'checkout'): Promise<Response> {
  const body = new URLSearchParams({ intent: 'update-all', ...(from && { from }) })
  for (const line of lines) for (const [name, value] of Object.entries(line)) body.append(name, value)
  return visitor.request('/cart', { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } })
}

eachShop((openShop) => {
  test('without scripts, proceeding to checkout saves the quantities that were typed', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const visitor = await customer(shop)
    const [first, second] = [await addVariant(shop.db), await addVariant(shop.db)]
    await fill(visitor, [first, 2], [second])
    const html = await (await visitor.get('/cart')).text()
    const form = /<form[^>]*id="quantities".*?<\/form>/s.exec(html)?.[0] ?? ''
    expect(form).toMatch(
      /name="intent" value="update-all".*<button[^>]*name="from"[^>]*>Proceed to Checkout</s,
    )
    expect(html.match(/<input[^>]*form="quantities"[^>]*name="(shown|quantity)"/g)).toHaveLength(4)

    const typed = { shown: `${first} 2`, quantity: '3' }
    const untouched = { shown: `${second} 1`, quantity: '1' }
    // A line that was not changed keeps its notice of a new price.
    await shop.db.updateTable('productVariants').set({ priceCents: 999 }).where('id', '=', second).execute()
    expect(outcomeOf(await post(visitor, [typed, untouched], 'checkout'))).toBe('303 /checkout')
    const checkout = await readPage(visitor, '/checkout')
    expect(checkout).toContain('3 × $5.00')
    expect(checkout).toContain('Your cart has changed since you added these items')

    const wrong = { shown: `${first} 3`, quantity: '1.5' }
    const refused = await post(visitor, [wrong, { ...untouched, quantity: '4' }], 'checkout')
    expect(refused.status).toBe(422)
    const page = await refused.text()
    expect(readMain(page)).toContain('Quantity must be a whole number.')
    expect(page).toMatch(/<input(?=[^>]*name="quantity")[^>]*value="1\.5"/)
    expect(outcomeOf(await post(visitor, [{ shown: `${second} 4`, quantity: '0' }]))).toBe('303 /cart')
    expect(await readPage(visitor, '/cart')).toContain('Shopping Cart (3 items)')
  })
})
