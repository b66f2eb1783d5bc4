import { listIndexed, matchesPerson, type NameScope } from '#db/accounts/person-tokens.ts'
import { refreshSearch } from '#db/search/refresh-search.ts'
import type { Db } from '#db/engine/client.ts'
import { confirmEmailChange } from '#server/accounts/change-email.ts'
import { createVariant } from '#server/catalog/create-variant.ts'
import { newAdminVariantSchema } from '#domain/catalog/variant-fields.ts'
import { listProductOptions } from '#server/catalog/list-variant-options.ts'
import { suggestMedicines } from '#server/reviews/suggest-medicines.ts'
import { goTo } from '#server/dashboard/go-to.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import type { Role } from '#domain/accounts/permissions.ts'
import { deleteUser } from '#server/privacy/delete-user.ts'
import { indexAllUsers, searchTokens } from '#server/accounts/find-customers.ts'
import { createOneTimeToken } from '#server/accounts/one-time-token.ts'
import { addNote } from '#server/orders/add-note.ts'
import { indexOrderCustomers } from '#server/orders/index-customers.ts'
import { listAdminOrders } from '#server/orders/list-admin-orders.ts'
import { orderQuerySchema } from '#domain/orders/admin-orders.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { createSecretKey } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrations } from '../../migrations/all.ts'

async function find(db: Db, typed: string, scope: NameScope = 'current'): Promise<string[]> {
  const tokens = await searchTokens(testContext(db), typed, scope)
  if (tokens === null) throw new Error('The search is empty.')
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where(matchesPerson(sql.ref('users.id'), tokens, scope))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

eachEngine((_engine, openDb) => {
  test('"Go to" finds people, orders and variants, each only for those who may read them', async () => {
    const db = await openDb()
    const ida = await makeUser(db, { firstName: 'Ida', lastName: 'Quillfeather', email: 'ida@mail.example' })
    const order = await placeOrder(db, ida)
    const productId = await addProduct(db)
    const variantId = await addVariant(db, { productId })
    await refreshSearch(db, [productId])
    const as = async (role: Role) =>
      testContext(db, { user: signedIn(await makeUser(db), { roles: [role] }) })
    const [admin, asFulfillment, asSupport] = [
      await as('admin'),
      await as('fulfillment'),
      await as('support'),
    ]
    const readsOf = async (userId: string) =>
      (await db.selectFrom('auditLog').select('action').where('subjectId', '=', userId).execute()).length

    const before = await readsOf(ida)
    const found = await goTo(admin, 'quill')
    expect(found.customers).toEqual([{ id: ida, name: 'Ida Quillfeather', email: 'ida@mail.example' }])
    expect(await readsOf(ida)).toBe(before + 1)
    expect((await goTo(admin, 'ibuprofen')).variants.map(({ id }) => id)).toEqual([variantId])
    // As printed on the package, with dashes or without.
    for (const printed of [
      { ndc: '0378-1089-05' },
      { ndc: '00378608093' },
      { ndc: '0378608091' },
      { din: '02367998' },
      { din: '123456789' },
    ]) {
      const input = {
        productId,
        strength: '400',
        strengthUnit: 'mg',
        packageSize: 10,
        packageUnit: 'tablet',
        price: '5.00',
      }
      const made = await createVariant(admin, newAdminVariantSchema.parse({ ...input, ...printed }))
      const found = await goTo(admin, Object.values(printed).join(''))
      expect(found.variants.map(({ id }) => id)).toEqual([made.id])
    }
    expect((await goTo(admin, `#${order.id.slice(-8)}`)).orders.map(({ id }) => id)).toEqual([order.id])

    expect((await goTo(asFulfillment, 'quill')).customers).toEqual([])
    expect((await goTo(asFulfillment, 'ibuprofen')).products).toEqual([])
    expect((await goTo(asFulfillment, order.id)).orders).toHaveLength(1)
    expect((await goTo(asSupport, 'ibuprofen')).variants).toEqual([])
    await expect(goTo(testContext(db, { user: signedIn(ida) }), 'quill')).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
  })

  test('"Go to", Add Product and a prescription’s medicine rank as the shop does: the plain medicine first', async () => {
    const db = await openDb()
    const admin = testContext(db, { user: signedIn(await makeUser(db), { roles: ['admin', 'pharmacist'] }) })
    const names = ['Chlorpheniramine and ibuprofen', 'Ibuprofen']
    const ids: string[] = []
    for (const name of names) ids.push(await addProduct(db, { name, route: 'oral' }))
    for (const [at, productId] of ids.entries())
      await addVariant(db, { productId, genericName: names[at] ?? '' })
    await refreshSearch(db, ids)
    const { products } = await goTo(admin, 'ibup')
    expect(products.map(({ name }) => name)).toEqual(names.toReversed())
    // Tells products of one name apart.
    expect(products.map(({ kind }) => kind)).toEqual(['oral · OTC', 'oral · OTC'])
    const options = await listProductOptions(admin, 'ibup')
    expect(options.map(({ label }) => label)).toEqual(names.toReversed())
    const medicines = await suggestMedicines(admin, 'ibup')
    expect(medicines.map(({ medicine }) => medicine.substances)).toEqual(names.toReversed())
  })

  test.each([
    {
      stored: { ndc: '0378-1089-05' },
      typed: [
        '0378-1089-05',
        '0378 1089 05',
        '0378108905',
        '00378-1089-05',
        '00378108905',
        'NDC 0378-1089-05',
      ],
    },
    // 5-3-2 and 5-4-1: the other places of the missing zero.
    {
      stored: { ndc: '60432-834-60' },
      typed: ['60432-834-60', '6043283460', '60432-0834-60', '60432083460'],
    },
    {
      stored: { ndc: '36987-3184-1' },
      typed: ['36987-3184-1', '3698731841', '36987-3184-01', '36987318401'],
    },
    // Stored with the eleven billing digits.
    { stored: { ndc: '00378608093' }, typed: ['00378608093', '00378-6080-93', '0378-6080-93', '0378608093'] },
    { stored: { din: '02367998' }, typed: ['02367998', '2367998', '0236 7998', '0236-7998', 'DIN 02367998'] },
    {
      stored: { upc: '304690125990' },
      typed: ['304690125990', '3 04690 12599 0', '3-04690-12599-0', '0304690125990', 'UPC 304690125990'],
    },
  ])('"Go to" finds a variant by $stored in any written form', async ({ stored, typed }) => {
    const db = await openDb()
    const admin = testContext(db, { user: signedIn(await makeUser(db), { roles: ['admin'] }) })
    const productId = await addProduct(db)
    await addVariant(db, { productId })
    const fields = {
      strength: '400',
      strengthUnit: 'mg',
      packageSize: 10,
      packageUnit: 'tablet',
      price: '5.00',
    }
    const made = await createVariant(admin, newAdminVariantSchema.parse({ ...fields, productId, ...stored }))
    for (const text of typed) {
      const { variants } = await goTo(admin, text)
      expect(
        variants.map(({ id }) => id),
        text,
      ).toEqual([made.id])
    }
  })

  test('users are found by word prefixes of their name or address, in any spelling', async () => {
    const db = await openDb()
    const zoe = await makeUser(db, {
      firstName: 'Zoë Anne',
      lastName: 'O’Hara-Quillfeatherington',
      email: 'zoe.ohara+rx@mail.example',
    })
    const max = await makeUser(db, { firstName: 'Max', lastName: null, email: 'm@example.com' })
    for (const typed of [
      'zo',
      'ZOË',
      'ann zoe',
      'ohara',
      'O’Hara',
      'hara',
      'quillf',
      'quillfeatherington',
      // Still being typed, longer than the indexed prefixes.
      'quillfeatheri',
      'zoe.ohara+rx@mail.example',
      'Zoe.OHara+RX@mail.ex',
      'mail.example',
      'zoe z',
    ]) {
      expect(await find(db, typed), typed).toEqual([zoe])
    }
    for (const typed of ['oe', 'zoe max', '!!!', 'quillfeatheringtons of york', '%']) {
      expect(await find(db, typed), typed).toEqual([])
    }
    expect(await find(db, 'example')).toEqual([zoe, max].toSorted())
    expect(await find(db, 'm')).toEqual([max])
    expect(await searchTokens(testContext(db), '  ', 'current')).toBeNull()
  })

  test('search tokens contain no part of a name and depend on the key', async () => {
    const db = await openDb()
    await makeUser(db, { firstName: 'Quentin', lastName: 'Zauber', email: 'qz@quentin.example' })
    const rows = await db.selectFrom('personTokens').select('token').execute()
    const all = rows.map(({ token }) => token).join(' ')
    for (const word of ['quentin', 'Zauber', 'zaub', 'example']) expect(all).not.toContain(word)
    const ctx = testContext(db)
    const keys = { ...ctx.keys, indexKey: createSecretKey(Buffer.alloc(32, 9)) }
    expect(await searchTokens({ ...ctx, keys }, 'quentin', 'current')).not.toEqual(
      await searchTokens(ctx, 'quentin', 'current'),
    )
  })

  test('a changed name or address is found at once, the old one no longer, and deletion removes both', async () => {
    const db = await openDb()
    const id = await makeUser(db, { firstName: 'Ida', lastName: 'Before', email: 'old@before.example' })
    const user = signedIn(id, { email: 'old@before.example' })
    const ctx = testContext(db, { user })
    await updateProfile(ctx, { lastName: 'Afterwards' })
    expect([await find(db, 'ida before'), await find(db, 'ida after')]).toEqual([[id], [id]])

    const token = await createOneTimeToken(ctx, {
      purpose: 'change-email',
      userId: id,
      detail: 'ida@later.example',
    })
    await confirmEmailChange(ctx, token, { supportEmail: 'support@shop.example' })
    expect(await find(db, 'before')).toEqual([])
    expect(await find(db, 'ida@later.example afterwards')).toEqual([id])
    expect(await find(db, 'old@before.example', 'current-and-former')).toEqual([id])

    await deleteUser(ctx, id)
    expect(await db.selectFrom('personTokens').select('token').execute()).toEqual([])
    expect(await db.selectFrom('formerPersonTokens').select('token').execute()).toEqual([])
  })

  test('unindexed users are indexed once, even by concurrent jobs', async () => {
    const db = await openDb()
    const ids = []
    for (let i = 0; i < 105; i++) ids.push(await makeUser(db, { firstName: `Person${i}` }))
    await db.deleteFrom('personTokens').execute()
    const ctx = testContext(db)
    await Promise.all([1, 2].map(() => indexAllUsers(ctx, new AbortController().signal)))
    expect(await find(db, 'person104')).toEqual([ids[104]])
    const users = await listIndexed(db, { after: '', limit: 200 })
    expect(users).toEqual(ids.toSorted().map((id) => ({ id, isIndexed: true })))
  })

  test('orders are found by the former and the current customer name, including older orders', async () => {
    const db = await openDb()
    const admin = asAdmin(db)
    const findOrders = async (q: string): Promise<string[]> =>
      (await listAdminOrders(admin, orderQuerySchema.parse({ q }))).rows.map(({ id }) => id)
    const person = { firstName: 'Ida', lastName: 'Quillfeatherington', email: 'ida@before.example' }
    const id = await makeUser(db, person)
    const order = await placeOrder(db, id, { user: person })
    await placeOrder(db, await makeUser(db, { firstName: 'Max' }))
    await updateProfile(testContext(db, { user: signedIn(id) }), { firstName: 'Eve', lastName: 'Afterwards' })

    const typed = ['ida', 'Quillfeatherington', 'quillfeathering', 'ida@before.example', 'eve', 'afterwards']
    for (const q of typed) expect(await findOrders(q), q).toEqual([order.id])
    expect(await find(db, 'quillfeatherington')).toEqual([])

    const orphaned = await placeOrder(db, await makeUser(db))
    for (const { id } of [order, orphaned]) await addNote(admin, { id, text: 'Rang twice.' })
    await db.updateTable('orders').set({ userId: null }).where('id', '=', orphaned.id).execute()
    // Recreates the tables as an existing shop gets them.
    await sql`drop table former_person_tokens`.execute(db)
    await sql`drop table orders_to_index`.execute(db)
    await sql`alter table refund_lines drop column restock`.execute(db)
    await migrations['0019-desk-rules']?.up(db)
    expect(await db.selectFrom('orderNotes').select('orderId').execute()).toEqual([{ orderId: order.id }])
    expect(await db.selectFrom('ordersToIndex').select('orderId').execute()).toHaveLength(2)
    expect(await findOrders('ida quillf')).toEqual([])
    const job = testContext(db)
    await Promise.all([1, 2].map(() => indexOrderCustomers(job, new AbortController().signal)))
    for (const q of typed) expect(await findOrders(q), q).toEqual([order.id])
    expect(await db.selectFrom('ordersToIndex').select('orderId').execute()).toEqual([])
    // Current tokens are not stored as former tokens too.
    expect(
      await db
        .selectFrom('formerPersonTokens')
        .innerJoin('personTokens', (join) =>
          join
            .onRef('personTokens.token', '=', 'formerPersonTokens.token')
            .onRef('personTokens.userId', '=', 'formerPersonTokens.userId'),
        )
        .select('personTokens.token')
        .execute(),
    ).toEqual([])
  })
})
