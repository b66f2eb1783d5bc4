import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { callProcedure, errorOf, resultOf } from '#tests/support/trpc-calls.ts'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

const rowSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  country: z.string(),
  licenseNumber: z.string(),
  licenseExpiry: z.iso.date(),
  shipsTo: z.array(z.string()),
  active: z.boolean(),
  address: z.string().nullable(),
  phone: z.string().nullable(),
  version: z.number(),
  productCount: z.number(),
})
const pageSchema = z.strictObject({
  rows: z.array(rowSchema),
  total: z.number(),
  next: z.string().nullable(),
  previous: z.string().nullable(),
})

const day = (fromNow: number): string =>
  new Date(Date.now() + fromNow * 86_400_000).toISOString().slice(0, 10)

eachShop((openShop) => {
  let shop: Shop
  let admin: Visitor
  beforeAll(async () => {
    shop = await openShop({ catalog: 'empty' })
    admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
  })
  const call = (path: string, input?: unknown) =>
    callProcedure(admin, shop.origin, `pharmacies.${path}`, input)
  const add = async (fields: Partial<Record<string, unknown>> = {}) =>
    rowSchema.parse(
      await resultOf(
        await call('create', {
          name: 'Harbour Pharmacy',
          country: 'Canada',
          licenseNumber: 'BC-1',
          licenseExpiry: day(400),
          shipsTo: ['Canada'],
          active: true,
          ...fields,
        }),
      ),
    )
  const list = async (params: Record<string, string> = {}) =>
    pageSchema.parse(await resultOf(await call('list', params)))

  test('creates and updates a pharmacy, and finds it by name, country and license', async () => {
    const row = await add({
      name: ' Léa’s ÉTOILE 100% ',
      country: 'Ireland',
      licenseNumber: 'IE-77',
      shipsTo: [' Ireland', 'France', '', 'France'],
      address: ' 1 Quay\r\nDublin ',
      phone: ' ',
    })
    expect(row).toMatchObject({
      name: 'Léa’s ÉTOILE 100%',
      shipsTo: ['Ireland', 'France'],
      active: true,
      address: '1 Quay\nDublin',
      phone: null,
    })
    const saved = rowSchema.parse(
      await resultOf(await call('update', { id: row.id, version: row.version, active: false })),
    )
    expect(saved).toEqual({ ...row, active: false, version: row.version + 1 })
    for (const q of ['étoile', 'Etoile', "lea's e", 'IRELAND', 'ie-77', 'IE 77', '100%']) {
      expect((await list({ q })).rows, q).toEqual([saved])
    }
    for (const q of ['1_0', '1%0', 'leas']) expect((await list({ q })).rows, q).toEqual([])
    const log = await shop.db.selectFrom('auditLog').select('action').where('objectId', '=', row.id).execute()
    expect(log.map(({ action }) => action)).toEqual(['pharmacy.created', 'pharmacy.updated'])
  })

  test('a stale edit is refused with the current row', async () => {
    const { id, version } = await add({ name: 'Contested' })
    await resultOf(await call('update', { id, version, country: 'Norway' }))
    expect(await errorOf(await call('update', { id, version, country: 'Spain' }))).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      current: { country: 'Norway', version: version + 1 },
    })
    expect((await list({ q: 'contested' })).rows[0]).toMatchObject({ country: 'Norway' })
  })

  test('an invalid field is 422, and the message names it', async () => {
    const valid = { name: 'X', country: 'X', licenseNumber: 'X', licenseExpiry: '2030-01-01', active: true }
    for (const [field, value] of [
      ['name', ' '],
      ['country', ''],
      ['licenseNumber', null],
      ['licenseExpiry', '2027-02-30'],
      ['licenseExpiry', ''],
      ['shipsTo', []],
      ['shipsTo', ['\u200b']],
      ['shipsTo', 'Canada'],
      ['active', 'yes'],
    ] as const) {
      const refusal = await errorOf(await call('create', { ...valid, shipsTo: ['X'], [field]: value }))
      expect(refusal.status, field).toBe(422)
      expect(Object.keys(refusal.fields), field).toEqual([field])
    }
    expect(await errorOf(await call('update', { id: 'x', version: 1, name: 'Y' }))).toMatchObject({
      status: 404,
    })
  })

  test('warns about active pharmacies whose license has expired or expires within 60 days, most urgent first', async () => {
    const ids = []
    for (const expiry of [day(60), day(-1), day(0), day(61)]) {
      ids.push((await add({ name: 'Warned', licenseExpiry: expiry })).id)
    }
    await add({ licenseExpiry: day(-5), active: false })
    const expiring = z.array(z.object({ id: z.string() })).parse(await resultOf(await call('expiring')))
    expect(expiring.map(({ id }) => id)).toEqual([ids[1], ids[2], ids[0]])
    const html = await (await admin.get('/admin/pharmacies?q=warned')).text()
    expect(html).toContain('3 licenses need renewal')
    for (const text of ['expired 1 day ago', 'expires today', 'expires in 60 days'])
      expect(html).toContain(text)
    expect(html).not.toContain('expires in 61 days')
  })

  test('the page has rows without scripts, sorted and paged by its URL', async () => {
    for (let i = 0; i < 60; i++) await add({ name: `Paged ${String(i).padStart(2, '0')}` })
    const first = await list({ q: 'paged', sort: 'name', dir: 'desc' })
    expect(first.total).toBe(60)
    expect(first.rows.map(({ name }) => name).slice(0, 2)).toEqual(['Paged 59', 'Paged 58'])
    const rest = await list({ q: 'paged', sort: 'name', dir: 'desc', after: first.next ?? '' })
    expect(rest.rows.at(-1)?.name).toBe('Paged 00')
    expect(rest.next).toBeNull()
    const html = await (await admin.get('/admin/pharmacies?q=paged&dir=desc')).text()
    expect(html).toContain('Paged 59')
    expect(html).not.toContain('Paged 05')
  })
})
