import { decimalFromCents, dollars } from '#domain/money.ts'
import {
  findAvailableVariants,
  findOutOfStockVariant,
  type AvailableVariant,
} from '#tests/support/demo-catalog.ts'
import { readMain } from '#tests/support/page-text.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { beforeAll, expect, test } from 'vitest'

const productLinks = (html: string): string[] => [
  ...new Set([...html.matchAll(/href="\/products\/([0-9a-f-]{36})/g)].map(([, id = '']) => id)),
]

eachShop((openShop) => {
  let shop: Shop
  let sold: [AvailableVariant, AvailableVariant, ...AvailableVariant[]]
  beforeAll(async () => {
    shop = await openShop()
    sold = await findAvailableVariants(shop.db)
  })

  const read = async (visitor: Visitor, path: string): Promise<string> => {
    const response = await visitor.get(path)
    expect(response.status, path).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    return response.text()
  }

  test('the home page shows eight popular medications and the categories', async () => {
    const html = await read(shop.visit(), '/')
    const main = readMain(html)
    expect(main).toContain('Your Global Pharmacy Marketplace')
    expect(main).toContain('Popular Medications')
    expect(main).toContain('Browse by Category')
    expect(productLinks(html)).toHaveLength(8)
  })

  test('the list shows each medicine with its price, page by page and without repeats', async () => {
    const first = await read(shop.visit(), '/products')
    const second = await read(shop.visit(), '/products?page=2')
    expect(productLinks(first)).toHaveLength(24)
    expect(productLinks(second)).toHaveLength(24)
    expect(new Set([...productLinks(first), ...productLinks(second)]).size).toBe(48)
    expect(readMain(first)).toMatch(/\$\d+\.\d\d/)
    expect(first).toMatch(/href="\/products\?page=2"/)
  })

  test('a search by name finds the medicine and links to its page', async () => {
    const [medicine] = sold
    const html = await read(shop.visit(), `/products?q=${encodeURIComponent(medicine.name)}`)
    expect(productLinks(html)).toContain(medicine.productId)
    const page = await read(shop.visit(), `/products/${medicine.productId}`)
    expect(readMain(page)).toContain(medicine.name)
    expect(page).toContain(`<link rel="canonical" href="${shop.origin}/products/${medicine.productId}"`)
  })

  test('each filter links to as many medicines as it counts, and is removed by a link', async () => {
    const list = await read(shop.visit(), '/products')
    const [, href = '', count = ''] =
      /href="(\/products\?form=tablet)"[^>]*><span>Tablet <span[^>]*>\(([\d,]+)\)/.exec(list) ?? []
    const tablets = await read(shop.visit(), `${href}&sort=price`)
    expect(readMain(tablets)).toContain(`${count} medications`)
    expect(tablets).toMatch(/href="\/products\?sort=price" aria-label="Remove Tablet"/)
    expect(tablets).toContain('content="noindex')
    const none = await read(shop.visit(), '/products?form=tablet&shipsTo=Atlantis')
    expect(readMain(none)).toContain('No medication matches all of these filters.')
  })

  test('a lay term names its classes, and an emergency is answered with whom to call', async () => {
    const name = 'Serotonin-1b and Serotonin-1d Receptor Agonist'
    const row = { ingredient: 'TESTED', system: 'EPC', code: '', name, source: 'test' } as const
    const { productId } = sold[0]
    await shop.db.insertInto('careClasses').values(row).execute()
    await shop.db.insertInto('productIngredients').values({ productId, ingredient: 'TESTED' }).execute()
    const classes = await read(shop.visit(), '/products?q=migraine')
    expect(readMain(classes)).toContain(`Medicines in the class “${name}”`)
    expect(readMain(classes)).toContain('No pharmacist has reviewed yet')
    expect(productLinks(classes)).toEqual([productId])
    const help = await read(shop.visit(), '/products?q=tylenol+overdose')
    expect(help).toContain('href="tel:18002221222"')
    expect(productLinks(help)).toEqual([])
    for (const [q, lang, title, call] of [
      ['quiero morir', 'es', 'Puede hablar con alguien ahora', 'Llamar al 988'],
      ['surdose de tylenol', 'fr', 'Obtenez de l’aide maintenant pour une intoxication', 'Appeler le 911'],
    ] as const) {
      const html = await read(shop.visit(), `/products?q=${encodeURIComponent(q)}`)
      expect(html).toContain(`<section lang="${lang}"`)
      const page = readMain(html)
      expect(page).toContain(title)
      expect(page).toContain(call)
      expect(page).not.toContain('We don’t show medicines')
    }
  })

  test('an identifier in any written form finds its product', async () => {
    const variant = await shop.db
      .selectFrom('productVariants')
      .select(['productId', 'ndc'])
      .where('ndc', 'like', '____-____-__')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    const ndc = variant.ndc ?? ''
    for (const form of [ndc, `NDC ${ndc}`, `0${ndc.replaceAll('-', '')}`]) {
      const html = await read(shop.visit(), `/products?ndc=${encodeURIComponent(form)}`)
      expect(productLinks(html), form).toContain(variant.productId)
    }
  })

  test('a product page has a radio for each variant and preselects the one in its URL', async () => {
    const [medicine] = sold
    const html = await read(shop.visit(), `/products/${medicine.productId}?variant=${medicine.variantId}`)
    const radios = html.match(/<input[^>]*type="radio"[^>]*>/g) ?? []
    const selected = radios.filter((radio) => /\schecked(=|\s|\/|>)/.test(radio))
    expect(radios.length).toBeGreaterThan(0)
    expect(selected).toHaveLength(1)
    expect(selected[0]).toContain(`value="${medicine.variantId}"`)
    expect(readMain(html)).toContain(dollars(medicine.priceCents))
  })

  test('plain forms fill, change and empty a cart', async () => {
    const visitor = shop.visit()
    const [first, second] = sold
    const added = await visitor.post(`/products/${first.productId}`, {
      variantId: first.variantId,
      quantity: '2',
    })
    expect(added.status).toBe(303)
    const cookie = added.headers.getSetCookie().find((line) => line.startsWith('cart='))
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Lax/i)
    const target = added.headers.get('location') ?? ''
    expect(target).toMatch(/^\/(cart|products)/)
    await read(visitor, target)
    expect((await visitor.post('/cart', { variantId: second.variantId, quantity: '1' })).status).toBe(303)

    const cart = readMain(await read(visitor, '/cart'))
    expect(cart).toContain('Shopping Cart (3 items)')
    expect(cart).toContain(dollars(2 * first.priceCents))
    expect(cart).toContain(dollars(2 * first.priceCents + second.priceCents))

    const update = { intent: 'update', variantId: first.variantId, quantity: '5' }
    expect((await visitor.post('/cart', update)).status).toBe(303)
    expect(readMain(await read(visitor, '/cart'))).toContain('Shopping Cart (6 items)')
    const removal = { intent: 'update', variantId: first.variantId, quantity: '0' }
    expect((await visitor.post('/cart', removal)).status).toBe(303)
    expect(readMain(await read(visitor, '/cart'))).toContain('Shopping Cart (1 items)')
    expect((await visitor.post('/cart', { intent: 'remove', variantId: second.variantId })).status).toBe(303)
    expect(readMain(await read(visitor, '/cart'))).toContain('Your cart is empty')
  })

  test('a visitor does not see the cart of another visitor', async () => {
    const visitor = shop.visit()
    await visitor.post('/cart', { variantId: sold[0].variantId, quantity: '1' })
    expect(readMain(await read(shop.visit(), '/cart'))).toContain('Your cart is empty')
  })

  test('adding a variant twice raises the quantity of its line', async () => {
    const visitor = shop.visit()
    for (const quantity of ['1', '2']) await visitor.post('/cart', { variantId: sold[0].variantId, quantity })
    const cart = readMain(await read(visitor, '/cart'))
    expect(cart).toContain('Shopping Cart (3 items)')
    expect(cart).toContain(dollars(3 * sold[0].priceCents))
  })

  test('a refused quantity is explained once, at its line, and stays in its field', async () => {
    const separateShop = await openShop()
    const [first, second] = await findAvailableVariants(separateShop.db)
    const visitor = separateShop.visit()
    for (const { variantId } of [first, second]) await visitor.post('/cart', { variantId, quantity: '5' })
    await separateShop.db
      .updateTable('productVariants')
      .set({ stockQuantity: 2, trackInventory: true })
      .where('id', '=', second.variantId)
      .execute()
    expect(readMain(await read(visitor, '/cart')).match(/Only 2 in stock/g)).toHaveLength(1)
    const form = { intent: 'update', variantId: second.variantId, quantity: '7' }
    const refused = await visitor.post('/cart', form)
    expect(refused.status).toBe(409)
    const html = await refused.text()
    expect(readMain(html).match(/Only 2 in stock/g)).toHaveLength(1)
    const fields = [...html.matchAll(/<input[^>]*type="number"[^>]*>/g)].map(([field]) => field)
    expect(fields).toEqual([
      expect.stringContaining('value="5"'),
      expect.stringMatching(/value="7".*aria-invalid="true"|aria-invalid="true".*value="7"/),
    ])
  })

  test('the cart uses the changed price, and says what it was', async () => {
    const separateShop = await openShop()
    const [medicine] = await findAvailableVariants(separateShop.db)
    const visitor = separateShop.visit()
    await visitor.post('/cart', { variantId: medicine.variantId, quantity: '2' })
    const priceCents = medicine.priceCents + 123
    await separateShop.db
      .updateTable('productVariants')
      .set({ priceCents })
      .where('id', '=', medicine.variantId)
      .execute()
    const cart = readMain(await read(visitor, '/cart'))
    expect(cart).toContain(`$${decimalFromCents(2 * priceCents)}`)
    expect(cart).toContain(`The price was $${decimalFromCents(medicine.priceCents)} when you added it.`)
  })

  test('a deleted variant leaves the cart, and the cart says so once', async () => {
    const separateShop = await openShop()
    const [first, second] = await findAvailableVariants(separateShop.db)
    const visitor = separateShop.visit()
    for (const { variantId } of [first, second]) await visitor.post('/cart', { variantId, quantity: '1' })
    await read(visitor, '/cart')
    await separateShop.db
      .updateTable('productVariants')
      .set({ deletedAt: new Date() })
      .where('id', '=', first.variantId)
      .execute()
    const cart = readMain(await read(visitor, '/cart'))
    expect(cart).toContain('Shopping Cart (1 items)')
    expect(cart).toMatch(/no longer/i)
    expect(readMain(await read(visitor, '/cart'))).not.toMatch(/no longer/i)
  })

  test('a variant that is out of stock cannot be added from its page or by a direct request', async () => {
    const soldOut = await findOutOfStockVariant(shop.db)
    const html = await read(shop.visit(), `/products/${soldOut.productId}?variant=${soldOut.variantId}`)
    expect(html).toMatch(/<button[^>]*\sdisabled(=""|\s|>)[^>]*>[^<]*(<!-- -->)?Add to Cart/)
    const visitor = shop.visit()
    const refused = await visitor.post('/cart', { variantId: soldOut.variantId, quantity: '1' })
    expect(refused.status).toBe(409)
    expect(visitor.cookies.has('cart')).toBe(false)
  })

  test('a medicine’s page has plurals, sentence case, countries, its delivery time and a breadcrumb to itself', async () => {
    const { id } = await shop.db
      .selectFrom('products')
      .select('id')
      .where('name', '=', 'Gabapentin')
      .executeTakeFirstOrThrow()
    const html = await read(shop.visit(), `/products/${id}`)
    const main = readMain(html)
    expect(main).toMatch(/\d+ capsules/)
    expect(main).not.toMatch(/\b(?!1 )\d+ (tablet|capsule)\b/)
    expect(main).not.toMatch(/[A-Z]{4,}, [A-Z]{4,}/)
    for (const country of [/· US\b/, /· Canada\b/]) expect(main).toMatch(country)
    expect(main.match(/\d+-\d+ business days once shipped/g)).toHaveLength(1)
    expect(html).toMatch(
      /<li[^>]*aria-current="page"[^>]*>Gabapentin<|<span[^>]*aria-current="page"[^>]*>Gabapentin</,
    )
  })

  test('a product of several strengths asks for one, and says so when none was chosen', async () => {
    const { id } = await shop.db
      .selectFrom('productVariants')
      .innerJoin('products', 'products.id', 'productVariants.productId')
      .select('products.id')
      .where('products.controlledSchedule', 'is', null)
      .where('productVariants.inStock', '=', true)
      .groupBy('products.id')
      .having((eb) => eb.fn.count('productVariants.strength').distinct(), '>', 1)
      .orderBy('products.id')
      .limit(1)
      .executeTakeFirstOrThrow()
    const visitor = shop.visit()
    const html = await read(visitor, `/products/${id}`)
    expect(html).toContain('Choose your strength')
    expect(html).not.toMatch(/<input[^>]*type="radio"[^>]*\schecked/)
    const reply = await visitor.post(`/products/${id}`, { intent: 'add', quantity: '3' })
    expect(reply.status).toBe(422)
    const answer = await reply.text()
    expect(answer).toMatch(/<fieldset[^>]*aria-invalid="true"/)
    expect(answer).toContain('Choose your strength to add this to your cart.')
    expect(answer).toMatch(/name="quantity"[^>]*value="3"|value="3"[^>]*name="quantity"/)
  })

  test('checkout redirects a visitor home and says why', async () => {
    const visitor = shop.visit()
    const response = await visitor.get('/checkout')
    expect([302, 303]).toContain(response.status)
    expect(response.headers.get('location')).toBe('/')
    expect(await read(visitor, '/')).toContain('Login Required')
    expect(await read(visitor, '/')).not.toContain('Login Required')
  })

  test('every picture of a page loads and has a text alternative', async () => {
    const html = await read(shop.visit(), '/products')
    const pictures = [...html.matchAll(/<img\b[^>]*>/g)].map(([tag]) => tag)
    expect(pictures.length).toBeGreaterThanOrEqual(24)
    for (const tag of pictures) {
      expect(tag).toMatch(/\salt="/)
      expect(tag).toMatch(/\swidth="/)
      const source = /\ssrc="([^"]+)"/.exec(tag)?.[1]?.replaceAll('&amp;', '&') ?? ''
      const picture = await shop.visit().get(source)
      expect(picture.status, source).toBe(200)
      expect(picture.headers.get('content-type')).toMatch(/^image\//)
      expect(picture.headers.get('cache-control')).toContain('immutable')
    }
  })
})
