import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { findAvailableVariants, type AvailableVariant } from '#tests/support/demo-catalog.ts'
import { listCachedPages, readNonce, unusedCookie, withoutNonce } from '#tests/support/cached-pages.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'

const cookieOf = ({ cookies }: Visitor): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const requests: Record<string, string>[] = [{}, {}, { 'accept-encoding': 'gzip' }]
/** The headers of the visitor's request for a page that is rendered. */
const rendered = (visitor: Visitor) => ({ cookie: `${cookieOf(visitor)}; ${unusedCookie}` })

eachShop((openShop) => {
  let shop: Shop
  let sold: AvailableVariant

  beforeAll(async () => {
    shop = await openShop()
    ;[sold] = await findAvailableVariants(shop.db)
  })

  async function visitWith({ theme, quantity = 0 }: { theme?: string; quantity?: number }): Promise<Visitor> {
    const visitor = shop.visit()
    if (quantity > 0) {
      await visitor.post('/cart', { variantId: sold.variantId, quantity: String(quantity) })
      // Takes the message about it.
      await visitor.get('/cart')
    }
    if (theme !== undefined) visitor.cookies.set('theme', theme)
    return visitor
  }

  const guests = {
    'in the dark theme': { theme: 'dark' },
    'in the light theme': { theme: 'light' },
    'with an unknown theme': { theme: 'purple' },
    'with a cart': { quantity: 2 },
    'with a cart in the dark theme': { quantity: 12, theme: 'dark' },
  }

  describe.each(Object.entries(guests))('a guest %s', (_, guest) => {
    test('gets each page as it is rendered, first and from memory, compressed too', async () => {
      const visitor = await visitWith(guest)
      for (const path of listCachedPages(sold)) {
        const own = await visitor.get(path, rendered(visitor))
        const html = withoutNonce(await own.text())
        for (const headers of requests) {
          const response = await visitor.get(path, headers)
          const bytes = Buffer.from(await response.arrayBuffer())
          const isCompressed = response.headers.get('content-encoding') === 'gzip'
          const text = (isCompressed ? gunzipSync(bytes) : bytes).toString()
          expect(isCompressed).toBe('accept-encoding' in headers)
          expect(withoutNonce(text), path).toBe(html)
          expect(response.headers.get('content-security-policy')).toContain(`'nonce-${readNonce(text)}'`)
          expect(response.headers.get('cache-control')).toBe('private, no-store')
          expect(response.headers.get('etag')).toBeNull()
          expect([...response.headers.keys()].filter((name) => name !== 'content-encoding')).toEqual([
            ...own.headers.keys(),
          ])
        }
      }
    })
  })

  test('a page that a guest requests first has nothing of that guest for others', async () => {
    const path = `/products?q=${encodeURIComponent(sold.name.slice(0, 6))}`
    const guest = await visitWith({ quantity: 7, theme: 'dark' })
    const own = await (await guest.get(path)).text()
    const html = withoutNonce(await (await shop.visit().get(path)).text())
    expect(html).toBe(withoutNonce(await (await shop.visit().get(path, { cookie: unusedCookie })).text()))
    expect(own).toContain('pharma-dark')
    expect(html).not.toContain('pharma-dark')
    const other = await visitWith({ quantity: 1 })
    expect(withoutNonce(await (await other.get(path)).text())).toBe(
      withoutNonce(await (await other.get(path, rendered(other))).text()),
    )
  })

  test('a page comes from memory, which has the primary’s data, and not from a late replica', async () => {
    const own = await openShop({ hasReplica: true })
    const path = `/products/${sold.productId}`
    await own.db.updateTable('products').set({ name: 'Renamed' }).where('id', '=', sold.productId).execute()
    const headingOf = async (cookie: string): Promise<string | undefined> =>
      /<h1[^>]*>([^<]*)/.exec(await (await own.visit().get(path, { cookie })).text())?.[1]
    const headings = ['theme=dark', 'theme=dark', `theme=dark; ${unusedCookie}`].map((cookie) =>
      headingOf(cookie),
    )
    expect(await Promise.all(headings)).toEqual(['Renamed', 'Renamed', sold.name])
  })

  test('a changed cart is on the next page; HEAD has no body, and If-None-Match gets the page', async () => {
    const visitor = await visitWith({ quantity: 1 })
    const countOf = async (): Promise<string | undefined> =>
      /tabular-nums">(\d+)<\/span><\/button>/.exec(await (await visitor.get('/products')).text())?.[1]
    expect(await countOf()).toBe('1')
    await visitor.post('/cart', { variantId: sold.variantId, quantity: '3' })
    await visitor.get('/cart')
    expect(await countOf()).toBe('4')
    const head = await visitor.request('/products', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const again = await visitor.get('/products', { 'if-none-match': '*' })
    expect(again.status).toBe(200)
  })

  test('a signed-in customer’s pages are rendered, and the header says who is signed in', async () => {
    const customer = await visitWith({ quantity: 1 })
    await shop.visit().get('/products')
    await signInAs(customer, shop.db, await makeUser(shop.db))
    const page = await (await customer.get('/products')).text()
    expect(page).toContain('Account menu')
    expect(withoutNonce(page)).toBe(
      withoutNonce(await (await customer.get('/products', rendered(customer))).text()),
    )
  })

  test('a guest reads which items left the cart, once, and the message of a form', async () => {
    const own = await openShop()
    const visitor = own.visit()
    const [unsold] = await findAvailableVariants(own.db)
    const added = await visitor.post('/cart', { variantId: unsold.variantId, quantity: '1' })
    expect(added.status).toBe(303)
    expect(await (await visitor.get('/products')).text()).toContain('class="toast"')
    await own.db
      .updateTable('productVariants')
      .set({ deletedAt: new Date() })
      .where('id', '=', unsold.variantId)
      .execute()
    const messages: boolean[] = []
    for (let visit = 0; visit < 2; visit++)
      messages.push((await (await visitor.get('/products')).text()).includes('No longer offered'))
    expect(messages).toEqual([true, false])
  })
})
