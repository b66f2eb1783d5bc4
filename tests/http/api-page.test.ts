import { adminPaths } from '#domain/admin-paths.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { outcomeOf } from '#tests/support/checkout-page.ts'
import { mainOf, readMain } from '#tests/support/page-text.ts'
import { eachShop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ summary: z.string(), tags: z.array(z.string()).min(1) })),
  ),
})

eachShop((openShop) => {
  test('the page of the API lists every operation of the OpenAPI document once', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
    const html = mainOf(await (await admin.get('/admin/api')).text())
    const document = documentSchema.parse(await (await admin.get(adminPaths.apiDocument)).json())
    const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { summary }]) => `${method.toUpperCase()} ${path} ${summary}`),
    )
    const listed = [...html.matchAll(/<summary\b[^>]*>([\s\S]*?)<\/summary>/g)].map(([, text = '']) =>
      readMain(`<main>${text}</main>`),
    )
    expect(listed.length).toBeGreaterThan(40)
    expect(listed.toSorted()).toEqual(documented.toSorted())
    expect(new Set(listed.map((line) => line.split(' ', 2).join(' '))).size).toBe(listed.length)
  })

  test('an operation shows who may call it, its parameters, its fields and what it returns', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
    const html = mainOf(await (await admin.get('/admin/api')).text())
    const details = [...html.matchAll(/<details\b[^>]*>([\s\S]*?)<\/details>/g)].map(([, text = '']) =>
      readMain(`<main>${text}</main>`),
    )
    const detailsOf = (call: string) => details.find((text) => text.startsWith(`${call} `))
    expect(detailsOf('POST /api/inventory/adjust')).toMatch(
      / Needs the permission “[^”]+”\. .*Body variantId string , required .* Returns \w+$/,
    )
    expect(detailsOf('GET /api/products/{id}')).toMatch(
      / Get a product For everyone\. .*Parameters id string , required .* Returns Product$/,
    )
  })

  test('a visitor and a customer do not see the page of the API', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const customer = shop.visit()
    expect(outcomeOf(await customer.get('/admin/api'))).toBe('302 /')
    await signInAs(customer, shop.db, await makeUser(shop.db))
    expect(outcomeOf(await customer.get('/admin/api'))).toBe('302 /')
  })
})
