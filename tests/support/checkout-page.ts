import { makeUser, signInAs } from './accounts.ts'
import { cardExpiry } from './dates.ts'
import { readMain } from './page-text.ts'
import type { Shop, Visitor } from './shop.ts'
import { expect } from 'vitest'

export type Customer = Visitor & { id: string }

export type Fields = Record<string, string>

export const harbour = {
  streetAddress: '12 Harbour Lane',
  city: 'Portland',
  stateProvince: 'ME',
  zipCode: '04101',
  country: 'United States',
}

export const card = { cardNumber: '4242 4242 4242 4242', expiry: cardExpiry(), cardCvc: '123' }

export const cards = {
  declined: '4000 0000 0000 0002',
  insufficient: '4000000000009995',
  secondStep: '4000 0025 0000 3155',
}

export async function customer(shop: Shop, options: Parameters<typeof makeUser>[1] = {}): Promise<Customer> {
  const id = await makeUser(shop.db, options)
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, id)
  return { ...visitor, id }
}

/** Adds someone the customer cares for. Returns their id. */
export async function addPerson(
  visitor: Visitor,
  firstName: string,
  details: Record<string, string> = {},
): Promise<string> {
  const person = { firstName, dateOfBirth: '2019-04-02', ...details }
  const added = await visitor.post('/profile/people/new', person)
  return added.headers.get('location')?.split('/').at(-1) ?? ''
}

export async function fill(
  visitor: Visitor,
  ...variants: [variantId: string, quantity?: number][]
): Promise<void> {
  for (const [variantId, quantity = 1] of variants) {
    const response = await visitor.post('/cart', { intent: 'add', variantId, quantity: String(quantity) })
    expect(response.status).toBe(303)
  }
}

/** The form as rendered: its hidden fields and a card that succeeds. */
export async function formOf(visitor: Visitor, fields: Fields = {}): Promise<Fields> {
  const html = await (await visitor.get('/checkout')).text()
  return { ...harbour, ...card, ...hiddenOf(html), ...fields }
}

export const hiddenOf = (html: string): Fields => {
  const hidden: Fields = {}
  for (const name of ['userId', 'seen', 'changed']) {
    const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]
    if (value !== undefined) hidden[name] = value
  }
  return hidden
}

export const place = async (visitor: Visitor, fields: Fields = {}): Promise<Response> =>
  visitor.post('/checkout', await formOf(visitor, fields))

export const readPage = async (visitor: Visitor, path: string): Promise<string> =>
  readMain(await (await visitor.get(path)).text())

export const outcomeOf = (response: Response): string =>
  `${response.status} ${response.headers.get('location') ?? ''}`.trimEnd()

export const rowsOf = async ({ db }: Shop) => ({
  orders: await db.selectFrom('orders').selectAll().execute(),
  checkouts: await db.selectFrom('checkouts').selectAll().orderBy('id').execute(),
  payments: await db.selectFrom('demoPayments').selectAll().orderBy('createdAt').execute(),
})

export const stockOf = async ({ db }: Shop, variantId: string) =>
  db
    .selectFrom('productVariants')
    .select(['stockQuantity', 'reservedQuantity'])
    .where('id', '=', variantId)
    .executeTakeFirstOrThrow()

export const tagOf = (html: string, name: string): string =>
  new RegExp(`<(?:input|select)[^>]*\\bname="${name}"[^>]*>`).exec(html)?.[0] ?? ''
