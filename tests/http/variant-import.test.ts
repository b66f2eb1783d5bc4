import { advanceImport } from '#server/catalog/csv/advance-import.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { testContext } from '#tests/support/context.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { callProcedure, resultOf } from '#tests/support/trpc-calls.ts'
import { beforeAll, expect, test } from 'vitest'

const path = '/admin/variants/import'

/** A page's text without the separators that React inserts. */
const readable = async (response: Response): Promise<string> =>
  (await response.text()).replaceAll('<!-- -->', '').replaceAll(/<script[\s\S]*?<\/script>/g, '')

eachShop((openShop) => {
  let shop: Shop
  let admin: Visitor
  beforeAll(async () => {
    shop = await openShop({ catalog: 'empty' })
    admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
  })

  function upload(
    text: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const form = new FormData()
    form.append('file', new File([text], 'new prices.csv', { type: 'text/csv' }))
    return admin.request(path, { method: 'POST', body: form, headers: { origin: shop.origin, ...headers } })
  }

  test('without scripts a file is uploaded, mapped, checked and applied', async () => {
    const productId = await addProduct(shop.db, { name: 'Quillfeatherin' })
    const [first, second] = [
      await addVariant(shop.db, { productId, sku: 'Q-1', stockQuantity: 0, inStock: false }),
      await addVariant(shop.db, { productId, sku: 'Q-2' }),
    ]
    const uploaded = await upload('Code;New price\nQ-1;9.99\nQ-2;1e9\nQ-3;1\n')
    expect(uploaded.status).toBe(303)
    const page = uploaded.headers.get('location') ?? ''
    expect(page).toMatch(/^\/admin\/variants\/import\/[0-9a-f-]{36}$/)
    const mappingPage = await readable(await admin.get(page))
    expect(mappingPage).toContain('new prices.csv')
    expect(mappingPage).toMatch(/<td[^>]*>Code<\/td>[\s\S]*Q-1 · Q-2 · Q-3/)

    const unmapped = await admin.post(page, { intent: 'check', 'column-1': 'price' })
    expect(unmapped.status).toBe(422)
    expect(await readable(unmapped)).toContain('Choose the column that identifies the variant')
    const twice = await admin.post(page, { intent: 'check', 'column-0': 'sku', 'column-1': 'sku' })
    expect(await readable(twice)).toContain('Two columns are mapped to the same field.')

    const checked = await admin.post(page, { intent: 'check', 'column-0': 'sku', 'column-1': 'price' })
    expect(`${checked.status} ${checked.headers.get('location')}`).toBe(`303 ${page}`)
    const lines = await readable(await admin.get(page))
    for (const label of [
      'All 3',
      'Changed 1',
      'Rejected 2',
      'Quillfeatherin: Generic, 200 mg, 24 tablets',
      'Price: Enter a dollar amount',
      'No variant has SKU Q-3.',
      'Skip the 2 rejected lines',
    ])
      expect(lines).toContain(label)
    expect(await readable(await admin.get(`${page}?outcome=refused`))).not.toContain('$9.99')

    const refused = await admin.post(page, { intent: 'apply' })
    expect(refused.status).toBe(409)
    expect(await readable(refused)).toContain('2 lines are rejected, so nothing was applied')
    const price = (id: string) =>
      shop.db.selectFrom('productVariants').select('priceCents').where('id', '=', id).executeTakeFirst()
    expect(await price(first)).toEqual({ priceCents: 500 })

    expect((await admin.post(page, { intent: 'apply', leavesOut: 'on' })).status).toBe(303)
    expect(await readable(await admin.get(page))).toContain('0 added, 1 changed, 2 skipped.')
    expect(await price(first)).toEqual({ priceCents: 999 })
    expect(await price(second)).toEqual({ priceCents: 500 })

    const csv = await admin.get(`${page}/refused.csv`)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(await csv.text()).toBe(
      'Code,New price,Line,Problem\r\n' +
        'Q-2,1e9,3,"Price: Enter a dollar amount like ""12.50""."\r\n' +
        'Q-3,1,4,No variant has SKU Q-3.\r\n',
    )
    expect(await readable(await admin.get(path))).toMatch(/new prices\.csv[\s\S]*Applied/)

    const id = page.slice(path.length + 1)
    expect(await resultOf(await callProcedure(admin, shop.origin, 'imports.progress', { id }))).toEqual({
      status: 'applied',
      done: 3,
      total: 3,
    })
    const loaded = await callProcedure(admin, shop.origin, 'imports.lines', {
      id,
      query: { outcome: 'changed' },
    })
    expect(await resultOf(loaded)).toMatchObject({ total: 1, rows: [{ line: 2, isApplied: true }] })

    expect((await admin.post(page, { intent: 'discard' })).headers.get('location')).toBe(path)
    expect((await admin.get(page)).status).toBe(404)
  })

  test('an upload after the session has ended says so on its page, where the file is still chosen', async () => {
    for (const page of [path, '/admin/screening/import']) {
      const form = new FormData()
      form.append('file', new File(['sku,price\nA,1'], 'prices.csv', { type: 'text/csv' }))
      const reply = await shop.visit().request(`${page}.data`, {
        method: 'POST',
        body: form,
        headers: { origin: shop.origin },
      })
      expect(reply.status, page).toBe(401)
      expect(await reply.text()).toContain('You’re signed out. Sign in again in another tab')
    }
  })

  test('an invalid file is rejected at its field, and an oversized one before it is read', async () => {
    const empty = await upload('')
    expect(empty.status).toBe(422)
    expect(await readable(empty)).toContain('The file is empty.')
    const binary = await upload(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0x0a, 0xff]))
    expect(binary.status).toBe(422)
    expect(await readable(binary)).toMatch(/isn’t UTF-8 text|isn’t a CSV file/)
    const huge = await upload('sku,price\nA,1', { 'content-length': String(2 ** 30) })
    expect(huge.status).toBe(413)
    expect(await readable(huge)).toContain('The file must be 64 MB or smaller. Split it into smaller files.')
    const none = await admin.request(path, {
      method: 'POST',
      body: new FormData(),
      headers: { origin: shop.origin },
    })
    expect(none.status).toBe(422)
    expect(await readable(none)).toContain('Choose a CSV file.')
    expect(await readable(await admin.get(path))).toContain('Recent files')
  })

  test('importing the grid’s own export changes nothing', async () => {
    const stocked = await openShop()
    const exportAdmin = stocked.visit()
    await signInAs(exportAdmin, stocked.db, await makeUser(stocked.db, { isAdmin: true }))
    await stocked.db
      .updateTable('productVariants')
      .set({ brandName: `A;=1;'@x;"-2"` })
      .where('brandName', 'is not', null)
      .execute()
    const text = await (await exportAdmin.get('/admin/variants.csv')).text()
    expect(text).toContain(`"A;'=1;''@x;'""-2"""`)
    const form = new FormData()
    form.append('file', new File([text], 'variants.csv', { type: 'text/csv' }))
    const uploaded = await exportAdmin.request(path, {
      method: 'POST',
      body: form,
      headers: { origin: stocked.origin },
    })
    const page = uploaded.headers.get('location') ?? ''
    // With the mapping that the form guesses.
    const mappingPage = await readable(await exportAdmin.get(page))
    const fields = [
      ...mappingPage.matchAll(/<select name="(column-\d+)"[\s\S]*?<option value="(\w*)" selected/g),
    ]
    expect(fields).toHaveLength(20)
    const mapping = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
    await exportAdmin.post(page, { intent: 'check', adds: 'on', clears: 'on', ...mapping })
    const id = page.slice(path.length + 1)
    await advanceImport(testContext(stocked.db), id, {})
    const others = await stocked.db
      .selectFrom('csvImportRows')
      .select(['outcome', 'problem', 'changes'])
      .where('importId', '=', id)
      .where('outcome', '!=', 'unchanged')
      .execute()
    expect(others).toEqual([])
    const { count } = await stocked.db
      .selectFrom('productVariants')
      .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
      .where('deletedAt', 'is', null)
      .executeTakeFirstOrThrow()
    expect(await readable(await exportAdmin.get(page))).toContain(
      `Unchanged ${count.toLocaleString('en-US')}`,
    )
  })
})
