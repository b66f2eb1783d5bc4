import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { fold } from '#domain/text.ts'
import { newId } from '#domain/ids.ts'
import { beforeAll, expect, test } from 'vitest'

const addManufacturer = (shop: Shop, name: string, fields: { country?: string; city?: string } = {}) =>
  shop.db
    .insertInto('manufacturers')
    .values({ id: newId(), name, nameKey: fold(name), createdAt: testDay, updatedAt: testDay, ...fields })
    .execute()

eachShop((openShop) => {
  let shop: Shop
  let admin: Visitor
  beforeAll(async () => {
    shop = await openShop({ catalog: 'empty' })
    admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
    await addManufacturer(shop, '=HYPERLINK("https://evil.example")', { country: 'Nowhere', city: 'A, "B"' })
    for (let i = 1; i <= 1200; i++) await addManufacturer(shop, `Maker ${String(i).padStart(4, '0')} Ötzi`)
  })

  test('an export has all rows that the search finds, on all pages, without live formulas', async () => {
    const response = await admin.get('/admin/manufacturers.csv?size=50&sort=name&dir=desc')
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="manufacturers-\d{4}-\d\d-\d\d\.csv"$/,
      ),
      'cache-control': expect.stringContaining('no-store'),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    const lines = bytes.toString('utf8').slice(1).split('\r\n')
    expect(lines).toHaveLength(1203)
    expect(lines[0]).toBe('ID,Name,Street address,City,State/Province,Country,Postal code,Variants')
    expect(lines[1]).toMatch(/^[0-9a-f-]{36},Maker 1200 Ötzi,,,,,,0$/)
    expect(lines[1201]).toMatch(
      /^[0-9a-f-]{36},"'=HYPERLINK\(""https:\/\/evil\.example""\)",,"A, ""B""",,Nowhere,,0$/,
    )

    const found = await (await admin.get('/admin/manufacturers.csv?q=maker+0007')).text()
    expect(found.split('\r\n')).toHaveLength(3)
    expect(await (await admin.get('/admin/manufacturers.csv?q=nobody')).text()).toMatch(/Variants\r\n$/)
  })

  test('the export link keeps the search and drops the page', async () => {
    const page = await (
      await admin.get('/admin/manufacturers?q=maker&size=50&after=%5B%22a%22%2C%22b%22%5D')
    ).text()
    expect(page).toMatch(/href="\/admin\/manufacturers\.csv\?q=maker"[^>]*>.*Export CSV/)
  })
})
