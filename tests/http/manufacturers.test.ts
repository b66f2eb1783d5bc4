import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { callProcedure, errorOf, resultOf } from '#tests/support/trpc-calls.ts'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  country: z.string().nullable(),
  version: z.number(),
  variantCount: z.number(),
})
const pageSchema = z.object({
  rows: z.array(rowSchema),
  total: z.number(),
  next: z.string().nullable(),
  previous: z.string().nullable(),
})
type Params = Record<string, string>

eachShop((openShop) => {
  let shop: Shop
  let admin: Visitor
  beforeAll(async () => {
    shop = await openShop({ catalog: 'empty' })
    admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
  })
  const call = (path: string, input?: unknown, visitor = admin) =>
    callProcedure(visitor, shop.origin, path, input)
  const list = async (params: Params = {}) =>
    pageSchema.parse(await resultOf(await call('manufacturers.list', params)))
  const add = async (fields: Params) =>
    rowSchema.parse(await resultOf(await call('manufacturers.create', fields)))

  test('pages list every row once, forward and backward, in the requested order', async () => {
    const countries = ['Norway', '', 'Chile']
    for (let i = 0; i < 130; i++) {
      await add({ name: `Paged Works ${String(i).padStart(3, '0')}`, country: countries[i % 3] ?? '' })
    }
    for (const sort of ['name', 'country']) {
      for (const dir of ['asc', 'desc']) {
        const params = { q: 'paged', sort, dir }
        const forwards: string[] = []
        let page = await list(params)
        expect(page.total).toBe(130)
        expect(page.previous).toBeNull()
        for (;;) {
          forwards.push(...page.rows.map(({ name }) => name))
          if (page.next === null) break
          page = await list({ ...params, after: page.next })
        }
        expect(new Set(forwards).size).toBe(130)
        const backwards: string[] = []
        page = await list({ ...params, last: '1' })
        expect(page.next).toBeNull()
        for (;;) {
          backwards.unshift(...page.rows.map(({ name }) => name))
          if (page.previous === null) break
          page = await list({ ...params, before: page.previous })
        }
        expect(backwards).toEqual(forwards)
        if (sort === 'name')
          expect(forwards).toEqual(dir === 'asc' ? forwards.toSorted() : forwards.toSorted().reverse())
      }
    }
  })

  test('a manufacturer’s row links to its variants, where the filter is shown and can be removed', async () => {
    const [linked, unlinked] = [await add({ name: 'Linked & Sons' }), await add({ name: 'Another Works' })]
    await addVariant(shop.db, { manufacturerId: linked.id, brandName: 'Linkadol' })
    await addVariant(shop.db, { manufacturerId: unlinked.id, brandName: 'Otheradol' })
    const html = async (path: string) => (await (await admin.get(path)).text()).replaceAll('<!-- -->', '')
    const link = `/admin/variants?manufacturerId=${linked.id}`
    const manufacturers = await html('/admin/manufacturers?q=works')
    expect(manufacturers).toContain('aria-label="1 variant of Another Works"')
    expect(await html('/admin/manufacturers?q=linked')).toContain(`href="${link}"`)
    const page = await html(link)
    expect(page).toContain('Linkadol')
    expect(page).not.toContain('Otheradol')
    const chip = /<a [^>]*aria-label="Manufacturer Linked &amp; Sons: remove this filter"[^>]*>/.exec(
      page,
    )?.[0]
    expect(chip).toMatch(/href="\/admin\/variants"/)
    expect(await html('/admin/variants')).not.toContain('remove this filter')
    for (const odd of ['x', '019e0000-0000-7000-8000-000000000000']) {
      expect(await html(`/admin/variants?manufacturerId=${odd}`)).toContain('Manufacturer unknown: remove')
    }
  })

  test('finds a name by the start of a word, and ignores invalid parameters', async () => {
    const { id } = await add({ name: 'Laboratoires Éthypharm' })
    for (const q of ['ethy', 'LABOR', 'laboratoires é']) {
      expect((await list({ q })).rows.map((row) => row.id)).toEqual([id])
    }
    expect((await list({ q: 'thyph' })).rows).toEqual([])
    const odd = { sort: 'drop table', dir: 'up', size: '7', after: '{', before: '[1]', last: 'yes', x: 'y' }
    expect(await list({ ...odd, q: 'ethy' })).toEqual(await list({ q: 'ethy' }))
  })

  test('a stale edit is refused with the current row; an undo uses the version of its edit', async () => {
    const row = await add({ name: 'Contested Works', country: 'Chile' })
    const edit = (version: number, country: string) =>
      call('manufacturers.update', { id: row.id, version, country })
    const saved = rowSchema.parse(await resultOf(await edit(row.version, 'Norway')))
    expect(saved.version).toBe(row.version + 1)
    expect(await errorOf(await edit(row.version, 'Spain'))).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      current: { country: 'Norway', version: saved.version },
    })
    await resultOf(await edit(saved.version, 'Chile'))
    expect((await list({ q: 'contested' })).rows[0]).toMatchObject({
      country: 'Chile',
      version: row.version + 2,
    })
  })

  test('refuses a duplicate name with a field message, and the deletion of one in use', async () => {
    const { id, version } = await add({ name: 'Single Works' })
    const other = await add({ name: 'Other Works' })
    const taken = {
      status: 422,
      code: 'INVALID',
      fields: { name: 'A manufacturer with this name already exists.' },
    }
    expect(await errorOf(await call('manufacturers.create', { name: ' single  WORKS ' }))).toMatchObject(
      taken,
    )
    const renamed = { id: other.id, version: other.version, name: 'Single Works' }
    expect(await errorOf(await call('manufacturers.update', renamed))).toMatchObject(taken)
    await addVariant(shop.db, { manufacturerId: id })
    expect(await errorOf(await call('manufacturers.delete', { id }))).toMatchObject({
      status: 409,
      message: 'Failed to delete manufacturer. It may be in use by products.',
    })
    expect((await list({ q: 'single' })).rows).toEqual([
      expect.objectContaining({ id, version, variantCount: 1 }),
    ])
    await resultOf(await call('manufacturers.delete', { id: other.id }))
    expect(await errorOf(await call('manufacturers.delete', { id: other.id }))).toMatchObject({
      status: 404,
    })
  })

  test('the page has rows without scripts, links for sorts and pages, and only the chosen columns', async () => {
    await add({ name: 'Readable Works', country: 'Peru' })
    // More than a page has.
    for (let i = 0; i < 51; i++) await add({ name: `Next Works ${i}` })
    const read = async () => (await admin.get('/admin/manufacturers?q=readable&sort=country')).text()
    const html = await read()
    expect(html).toContain('Readable Works')
    expect(html).toContain('>Peru<')
    expect(html).toContain('href="/admin/manufacturers?q=readable&amp;sort=country&amp;dir=desc"')
    expect(html).not.toContain('Contested Works')
    expect(await (await admin.get('/admin/manufacturers')).text()).toContain('aria-label="Next page"')

    const choice = { grid: 'manufacturers', columns: ['country'] }
    await resultOf(await call('grids.hideColumns', choice))
    expect(await read()).not.toContain('>Peru<')
    const another = shop.visit()
    await signInAs(another, shop.db, await makeUser(shop.db, { isAdmin: true }))
    expect(await (await another.get('/admin/manufacturers?q=readable')).text()).toContain('>Peru<')
    await resultOf(await call('grids.hideColumns', { ...choice, columns: [] }))
    expect(await read()).toContain('>Peru<')
    // An address with columns wins over the choice.
    expect(await (await admin.get('/admin/manufacturers?q=readable&hide=country')).text()).not.toContain(
      '>Peru<',
    )
    const widths = { name: 240 }
    await resultOf(await call('grids.resizeColumns', { grid: 'manufacturers', widths }))
    expect(await read()).toContain('<col width="240"/>')
    expect(
      await errorOf(await call('grids.resizeColumns', { ...choice, widths: { name: 1 } })),
    ).toMatchObject({
      code: 'INVALID',
    })
  })

  test('a view is a named address of one employee, without a page or a person', async () => {
    const viewSchema = z.object({
      id: z.string(),
      name: z.string(),
      params: z.record(z.string(), z.string()),
    })
    const params = { q: 'oslo', sort: 'country', hide: 'postal', after: 'x', from: '51' }
    const save = (fields: object) => call('grids.saveView', { grid: 'manufacturers', params, ...fields })
    const saved = viewSchema.parse(await resultOf(await save({ name: ' Oslo\n' })))
    expect(saved).toMatchObject({ name: 'Oslo', params: { q: 'oslo', sort: 'country', hide: 'postal' } })
    const page = async (visitor = admin) => (await visitor.get('/admin/manufacturers')).text()
    expect(await page()).toContain('href="/admin/manufacturers?q=oslo&amp;sort=country&amp;hide=postal"')
    const ofOrders = viewSchema.parse(await resultOf(await save({ grid: 'orders', name: 'Oslo' })))
    expect(ofOrders.params).not.toHaveProperty('q')

    const taken = { status: 422, fields: { name: 'You already have a view with this name.' } }
    expect(await errorOf(await save({ name: 'Oslo' }))).toMatchObject(taken)
    expect(await errorOf(await save({ name: '  ' }))).toMatchObject({ fields: { name: 'Enter a name.' } })
    const bergen = viewSchema.parse(await resultOf(await save({ name: 'Bergen' })))
    const rename = (id: string, name: string, visitor = admin) =>
      call('grids.renameView', { id, name }, visitor)
    expect(await errorOf(await rename(bergen.id, 'Oslo'))).toMatchObject(taken)
    await resultOf(await rename(bergen.id, 'Tromsø'))

    const another = shop.visit()
    await signInAs(another, shop.db, await makeUser(shop.db, { isAdmin: true }))
    expect(await page(another)).not.toContain('Tromsø')
    expect(await errorOf(await rename(bergen.id, 'Mine', another))).toMatchObject({ status: 404 })
    await resultOf(await call('grids.deleteView', { id: bergen.id }, another))
    expect(await page()).toContain('Tromsø')
    await resultOf(await call('grids.deleteView', { id: bergen.id }))
    expect(await page()).not.toContain('Tromsø')

    // No employee stores without bound.
    for (let i = 0; i < 29; i++) await resultOf(await save({ name: `View ${i}` }))
    expect(await errorOf(await save({ name: 'One more' }))).toMatchObject({ status: 409 })
  })

  test('escapes names on the page and in its data', async () => {
    await add({ name: 'Quoted </script><script>alert(1)</script> Works' })
    const html = await (await admin.get('/admin/manufacturers?q=quoted')).text()
    expect(html).toContain('Quoted &lt;/script&gt;')
    expect(html).not.toContain('<script>alert(1)')
  })
})
