import { verifyStock } from '#server/checkout/verify-stock.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { testKeys } from '#tests/support/context.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

const goodCard = '4242 4242 4242 4242'
const address = '12 Harbour Lane, Portland, ME 04101, United States'
const rounds = 6

type Reply = { status: number; body: string }

eachShop((openShop) => {
  test(
    'concurrent edits, adjustments, sales and cancellations do not deadlock, and all stock is accounted for',
    { timeout: 120_000 },
    async () => {
      const shop = await openShop({ catalog: 'empty', env: { RATE_LIMITS: 'off' } })
      const admin = await visit(shop, true)
      const buyers = await Promise.all(Array.from({ length: 4 }, () => visit(shop, false)))
      const replies: Reply[] = []
      const send = async (method: string, path: string, body: unknown, visitor = admin): Promise<unknown> => {
        const response = await visitor.request(path, {
          method,
          headers: { 'content-type': 'application/json', origin: shop.origin },
          body: JSON.stringify(body),
        })
        const text = await response.text()
        replies.push({ status: response.status, body: `${method} ${path}: ${text}` })
        return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : null
      }
      const products: string[] = []
      const variants: string[] = []
      for (let i = 0; i < 3; i++) {
        const product = await send('POST', '/api/products', {
          name: `Crosswisol ${i}`,
          image: '/a.png',
          category: 'OTC',
        })
        products.push(idOf(product))
        for (let j = 0; j < 2; j++)
          variants.push(idOf(await send('POST', '/api/product-variants', variantOf(idOf(product), 40))))
      }
      const buy = async (buyer: Visitor, round: number): Promise<void> => {
        // In reverse order: the shop must sort them itself to avoid deadlocks.
        const items = variants
          .toReversed()
          .map((productVariantId, i) => ({ productVariantId, quantity: 1 + ((i + round) % 2) }))
        const intent = await send(
          'POST',
          '/api/create-payment-intent',
          { items, shippingAddress: address },
          buyer,
        )
        const clientSecret = textOf(intent, 'clientSecret')
        if (clientSecret === null) return
        await send('POST', '/demo-payments/confirm', { clientSecret, cardNumber: goodCard }, buyer)
        const stripePaymentId = clientSecret.split('_secret_')[0]
        const order = await send('POST', '/api/orders', { stripePaymentId }, buyer)
        if (order !== null && round % 3 === 0)
          await send('PATCH', `/api/orders/${idOf(order)}`, { status: 'cancelled' })
      }
      for (let round = 0; round < rounds; round++) {
        await Promise.all([
          ...buyers.map((buyer) => buy(buyer, round)),
          ...variants.map((variantId, i) =>
            send('POST', '/api/inventory/adjust', {
              variantId,
              quantityChange: (i + round) % 3 === 0 ? -30 : 20,
              transactionType: 'adjustment',
            }),
          ),
          ...variants.map((id, i) =>
            send(
              'PATCH',
              `/api/product-variants/${id}`,
              (i + round) % 2 ? { price: `${round + 1}.00` } : { stockQuantity: round % 4 ? 25 : 0 },
            ),
          ),
          ...products.map((id) => send('PATCH', `/api/products/${id}`, { name: `Crosswisol ${round}` })),
          send('POST', '/api/product-variants', variantOf(products[round % 3] ?? '', 5)),
        ])
      }
      await Promise.all([
        ...products.map((id) => send('DELETE', `/api/products/${id}`, {})),
        ...buyers.map((buyer) => buy(buyer, 1)),
        ...variants.map((variantId) =>
          send('POST', '/api/inventory/adjust', { variantId, quantityChange: 1, transactionType: 'return' }),
        ),
      ])
      expect(replies.filter(({ status }) => status >= 500)).toEqual([])
      expect(
        replies.filter(({ status, body }) => status === 201 && body.startsWith('POST /api/orders')).length,
      ).toBeGreaterThan(0)
      const findings: string[] = []
      await verifyStock({ db: shop.db, keys: testKeys }, (sentence) => void findings.push(sentence))
      expect(findings).toEqual([])
    },
  )
})

async function visit(shop: Shop, isAdmin: boolean): Promise<Visitor> {
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, await makeUser(shop.db, { isAdmin }))
  return visitor
}

const variantOf = (productId: string, stockQuantity: number) => ({
  productId,
  strength: '5',
  strengthUnit: 'mg',
  packageSize: 10,
  packageUnit: 'tablet',
  price: '4.00',
  stockQuantity,
})

function textOf(value: unknown, key: string): string | null {
  if (typeof value !== 'object' || value === null || !(key in value)) return null
  const found: unknown = Object.getOwnPropertyDescriptor(value, key)?.value
  return typeof found === 'string' ? found : null
}

function idOf(value: unknown): string {
  const id = textOf(value, 'id')
  if (id === null) throw new Error(`${JSON.stringify(value)} has no id.`)
  return id
}
