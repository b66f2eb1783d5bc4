import type { Db } from '#db/engine/client.ts'
import { newProductSchema } from '#domain/catalog/product-fields.ts'
import { newVariantSchema } from '#domain/catalog/variant-fields.ts'
import { newId } from '#domain/ids.ts'
import { createProductByKey, createVariantByKey } from '#server/catalog/create-by-key.ts'
import { deleteProduct } from '#server/catalog/delete-product.ts'
import { updateProduct } from '#server/catalog/update-product.ts'
import { updateVariant } from '#server/catalog/update-variant.ts'
import type { Context } from '#server/context.ts'
import { deleteAllOldRows } from '#server/jobs/delete-old-rows.ts'
import { deleteUser } from '#server/privacy/delete-user.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addProduct, testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

const product = newProductSchema.parse({ name: 'Keyedol', image: '/keyedol.png' })
const variantOf = (productId: string) =>
  newVariantSchema.parse({
    productId,
    strength: '250',
    strengthUnit: 'mg',
    packageSize: 30,
    packageUnit: 'tablet',
    price: '12.50',
    stockQuantity: 40,
  })

const at = (ctx: Context, msLater: number): Context => ({
  ...ctx,
  now: new Date(testDay.getTime() + msLater),
})
const dayMs = 24 * 3600_000

const countKeys = async (db: Db) => (await db.selectFrom('requestKeys').select('id').execute()).length
const countProducts = async (db: Db) => (await db.selectFrom('products').select('id').execute()).length
const deleteOld = (db: Db, now: Date) =>
  deleteAllOldRows({ db, now: () => now }, new AbortController().signal)

eachEngine((_engine, openDb) => {
  test.each([
    '1f3a6c0e-5b7d-4c21-9a44-0d6e8b2f7c35',
    '019a7c1e-0000-7000-8000-000000000001',
    'order-17/line-2',
  ])('a product that is sent three times at once with the key %s is created once', async (key) => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const sent = await Promise.all([1, 2, 3].map(() => createProductByKey(ctx, product, key)))
    expect(sent).toEqual([sent[0], sent[0], sent[0]])
    expect(sent[0]?.id).not.toBe(key)
    expect(await countProducts(db)).toBe(1)
  })

  test('a variant that is sent three times at once is created once, with its stock', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const variant = variantOf(await addProduct(db))
    const sent = await Promise.all([1, 2, 3].map(() => createVariantByKey(ctx, variant, 'key')))
    expect(sent).toEqual([sent[0], sent[0], sent[0]])
    expect(await db.selectFrom('productVariants').select(['id', 'stockQuantity']).execute()).toEqual([
      { id: sent[0]?.id, stockQuantity: 40 },
    ])
  })

  test('a retry after a change returns the product and the variant as they are now', async () => {
    const ctx = asAdmin(await openDb())
    const created = await createProductByKey(ctx, product, 'product')
    const variant = variantOf(created.id)
    const { id } = await createVariantByKey(ctx, variant, 'variant')
    await updateProduct(ctx, created.id, { name: 'Keyedol Forte' })
    await updateVariant(ctx, id, { price: 1300, stockQuantity: 7 })
    expect(await createProductByKey(ctx, product, 'product')).toEqual({ ...created, name: 'Keyedol Forte' })
    expect(await createVariantByKey(ctx, variant, 'variant')).toMatchObject({
      id,
      price: '13.00',
      stockQuantity: 7,
    })
  })

  test('a retry after the deletion is refused and says so', async () => {
    const ctx = asAdmin(await openDb())
    const { id } = await createProductByKey(ctx, product, 'product')
    const variant = await createVariantByKey(ctx, variantOf(id), 'variant')
    await deleteProduct(ctx, id)
    await expect(createProductByKey(ctx, product, 'product')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `This Idempotency-Key already created the product ${id}, which has since been deleted.`,
    })
    await expect(createVariantByKey(ctx, variantOf(id), 'variant')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `This Idempotency-Key already created the variant ${variant.id}, which has since been deleted.`,
    })
  })

  test('a key with another request is refused and says so', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const { id } = await createProductByKey(ctx, product, 'key')
    const refusal = {
      code: 'CONFLICT',
      message: 'This Idempotency-Key belongs to another request. Send a new key.',
    }
    const other = createProductByKey(ctx, { ...product, category: 'OTC' }, 'key')
    await expect(other).rejects.toMatchObject(refusal)
    await expect(createVariantByKey(ctx, variantOf(id), 'key')).rejects.toMatchObject(refusal)
    expect(await countProducts(db)).toBe(1)
    expect(await db.selectFrom('productVariants').select('id').execute()).toEqual([])
    const { name, ...rest } = product
    expect(await createProductByKey(ctx, { ...rest, name }, 'key')).toMatchObject({ id })
    expect(await createProductByKey(ctx, product, 'KEY')).not.toMatchObject({ id })
  })

  test('a refused request does not use up its key', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    await expect(createProductByKey(ctx, { ...product, pharmacyId: newId() }, 'key')).rejects.toMatchObject({
      code: 'INVALID',
    })
    expect(await countKeys(db)).toBe(0)
    expect(await createProductByKey(ctx, product, 'key')).toMatchObject({ name: 'Keyedol' })
  })

  test('each user and each API key has keys of its own', async () => {
    const db = await openDb()
    const admin = signedIn(await makeUser(db, { isAdmin: true }), { isAdmin: true })
    const callers = [
      admin,
      { ...admin, apiKeyId: newId() },
      { ...admin, apiKeyId: newId() },
      signedIn(await makeUser(db, { isAdmin: true }), { isAdmin: true }),
    ]
    const create = () =>
      Promise.all(callers.map((user) => createProductByKey(testContext(db, { user }), product, 'key')))
    const created = await create()
    expect(new Set(created.map(({ id }) => id)).size).toBe(4)
    expect(await create()).toEqual(created)
  })

  test('a key is new after 24 hours, before the retention job runs and after', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const first = await createProductByKey(ctx, product, 'key')
    expect(await createProductByKey(at(ctx, dayMs), product, 'key')).toEqual(first)
    const late = at(ctx, dayMs + 1)
    const [second, copy] = await Promise.all([1, 2].map(() => createProductByKey(late, product, 'key')))
    expect(second).not.toEqual(first)
    expect(copy).toEqual(second)
    expect(await countKeys(db)).toBe(1)

    await deleteOld(db, at(ctx, 2 * dayMs + 1).now)
    expect(await countKeys(db)).toBe(1)
    const later = at(ctx, 2 * dayMs + 2)
    await deleteOld(db, later.now)
    expect(await countKeys(db)).toBe(0)
    expect(await createProductByKey(later, { ...product, category: 'OTC' }, 'key')).not.toEqual(second)
    expect(await countProducts(db)).toBe(3)
  })

  test('the deletion of an account deletes the keys that the user sent', async () => {
    const db = await openDb()
    const [id, otherId] = [await makeUser(db), await makeUser(db)]
    for (const userId of [id, otherId]) {
      const user = signedIn(userId, { isAdmin: true })
      await createProductByKey(testContext(db, { user }), product, 'key')
    }
    await deleteUser(testContext(db, { user: signedIn(id) }), id)
    expect(await db.selectFrom('requestKeys').select('scope').execute()).toEqual([{ scope: otherId }])
  })
})
