import { advanceImport } from '#server/catalog/csv/advance-import.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { testContext } from '#tests/support/context.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { callProcedure, resultOf } from '#tests/support/trpc-calls.ts'
import { beforeAll, expect, test } from 'vitest'

const path = '/admin/variants/import'

/** The text of a page as one reads it, without what React puts between its pieces. */
const readable = async (response: Response): Promise<string> =>
  (await response.text()).replaceAll('<!-- -->', '').replaceAll(/<script[\s\S]*?<\/script>/g, '')

eachShop((openShop) => {
  let shop: Shop
  let admin: Visitor
  beforeAll(async () => {
    shop = await openShop({ catalogue: 'empty' })
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

  test('without scripts a file is brought, its columns said, looked at line by line, and applied', async () => {
    const productId = await addProduct(shop.db, { name: 'Quillfeatherin' })
    const [first, second] = [
      await addVariant(shop.db, { productId, sku: 'Q-1', stockQuantity: 0, inStock: false }),
      await addVariant(shop.db, { productId, sku: 'Q-2' }),
    ]
    const brought = await upload('Code;New price\nQ-1;9.99\nQ-2;1e9\nQ-3;1\n')
    expect(brought.status).toBe(303)
    const page = brought.headers.get('location') ?? ''
    expect(page).toMatch(/^\/admin\/variants\/import\/[0-9a-f-]{36}$/)
    const asked = await readable(await admin.get(page))
    expect(asked).toContain('new prices.csv')
    expect(asked).toMatch(/<td[^>]*>Code<\/td>[\s\S]*Q-1 · Q-2 · Q-3/)

    const unsaid = await admin.post(page, { intent: 'check', 'column-1': 'price' })
    expect(unsaid.status).toBe(422)
    expect(await readable(unsaid)).toContain('Choose the column that names the variant')
    const twice = await admin.post(page, { intent: 'check', 'column-0': 'sku', 'column-1': 'sku' })
    expect(await readable(twice)).toContain('Two columns say the same.')

    const checked = await admin.post(page, { intent: 'check', 'column-0': 'sku', 'column-1': 'price' })
    expect(`${checked.status} ${checked.headers.get('location')}`).toBe(`303 ${page}`)
    const lines = await readable(await admin.get(page))
    for (const words of [
      'All 3',
      'Changed 1',
      'Refused 2',
      'Quillfeatherin: Generic, 200 mg, 24 tablet',
      'Price: Please write an amount of dollars as text',
      'No variant has SKU Q-3.',
      'Skip the 2 rejected lines',
    ])
      expect(lines).toContain(words)
    expect(await readable(await admin.get(`${page}?outcome=refused`))).not.toContain('$9.99')

    const refused = await admin.post(page, { intent: 'apply' })
    expect(refused.status).toBe(409)
    expect(await readable(refused)).toContain('2 lines are refused. Nothing was applied')
    const price = (id: string) =>
      shop.db.selectFrom('productVariants').select('priceCents').where('id', '=', id).executeTakeFirst()
    expect(await price(first)).toEqual({ priceCents: 500 })

    expect((await admin.post(page, { intent: 'apply', leavesOut: 'on' })).status).toBe(303)
    expect(await readable(await admin.get(page))).toContain('0 added, 1 changed, 2 left out.')
    expect(await price(first)).toEqual({ priceCents: 999 })
    expect(await price(second)).toEqual({ priceCents: 500 })

    const csv = await admin.get(`${page}/refused.csv`)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(await csv.text()).toBe(
      'Code,New price,Line,Problem\r\n' +
        'Q-2,1e9,3,"Price: Please write an amount of dollars as text, like ""12.50""."\r\n' +
        'Q-3,1,4,No variant has SKU Q-3.\r\n',
    )
    expect(await readable(await admin.get(path))).toMatch(/new prices\.csv[\s\S]*Applied/)

    const id = page.slice(path.length + 1)
    expect(await resultOf(await callProcedure(admin, shop.origin, 'imports.progress', { id }))).toEqual({
      status: 'applied',
      done: 3,
      of: 3,
    })
    const loaded = await callProcedure(admin, shop.origin, 'imports.lines', {
      id,
      query: { outcome: 'changed' },
    })
    expect(await resultOf(loaded)).toMatchObject({ total: 1, rows: [{ line: 2, isApplied: true }] })

    expect((await admin.post(page, { intent: 'discard' })).headers.get('location')).toBe(path)
    expect((await admin.get(page)).status).toBe(404)
  })

  test('a file that is none is refused beside its field, and one beyond the bound before it is read', async () => {
    const empty = await upload('')
    expect(empty.status).toBe(422)
    expect(await readable(empty)).toContain('The file is empty.')
    const binary = await upload(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0x0a, 0xff]))
    expect(binary.status).toBe(422)
    expect(await readable(binary)).toMatch(/no UTF-8 text|no CSV file/)
    const huge = await upload('sku,price\nA,1', { 'content-length': String(2 ** 30) })
    expect(huge.status).toBe(413)
    expect(await readable(huge)).toContain('The file is larger than 64 MB. Please split it.')
    const none = await admin.request(path, {
      method: 'POST',
      body: new FormData(),
      headers: { origin: shop.origin },
    })
    expect(none.status).toBe(422)
    expect(await readable(none)).toContain('Choose a CSV file.')
    expect(await readable(await admin.get(path))).toContain('Recent files')
  })

  test('what the grid exports changes nothing when it is brought back as it is', async () => {
    const stocked = await openShop()
    const desk = stocked.visit()
    await signInAs(desk, stocked.db, await makeUser(stocked.db, { isAdmin: true }))
    const text = await (await desk.get('/admin/variants.csv')).text()
    const form = new FormData()
    form.append('file', new File([text], 'variants.csv', { type: 'text/csv' }))
    const brought = await desk.request(path, {
      method: 'POST',
      body: form,
      headers: { origin: stocked.origin },
    })
    const page = brought.headers.get('location') ?? ''
    // As the form does that guesses what the columns say.
    const asked = await readable(await desk.get(page))
    const fields = [...asked.matchAll(/<select name="(column-\d+)"[\s\S]*?<option value="(\w*)" selected/g)]
    expect(fields).toHaveLength(20)
    const said = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
    await desk.post(page, { intent: 'check', adds: 'on', clears: 'on', ...said })
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
    expect(await readable(await desk.get(page))).toContain(`Unchanged ${count.toLocaleString('en-US')}`)
  })
})
