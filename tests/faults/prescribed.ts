import { openShopKeys } from '#server/crypto/shop-keys.ts'
import type { Context } from '#server/context.ts'
import { readEnv } from '#server/env.ts'
import { newAdmin, UnexpectedReplyError } from '#tests/support/buyer.ts'
import { testContext } from '#tests/support/context.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { addItem } from '#tests/support/dispensing.ts'
import type { PlainClient } from '#tests/support/http-client.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { z } from 'zod'
import { createOne } from './site.ts'

/** A prescription medicine of two manufacturers. Each pack holds 30 tablets. */
export type TestMedicine = { variantIds: [string, string] }

const packTablets = 30

/** Creates prescription medicines through the API, with enough stock. */
export async function addTestMedicines(origin: string, count: number): Promise<TestMedicine[]> {
  const admin = await newAdmin(origin)
  const medicines: TestMedicine[] = []
  for (let i = 0; i < count; i++) {
    const name = `Faultapril ${String.fromCharCode(65 + i)}`
    const product = { name, image: '/illustrations/none.svg', category: 'Rx' }
    const productId = await createOne(admin, '/api/products', product)
    const variant = {
      productId,
      strength: '10',
      strengthUnit: 'mg',
      dosageForm: 'tablet',
      packageSize: packTablets,
      packageUnit: 'tablet',
      price: `${3 + i}.50`,
      stockQuantity: 100_000,
    }
    medicines.push({
      variantIds: [
        await createOne(admin, '/api/product-variants', variant),
        await createOne(admin, '/api/product-variants', { ...variant, price: `${4 + i}.25` }),
      ],
    })
  }
  admin.close()
  return medicines
}

/** A context of the shop's own keys and database, to prepare what customers have on file. */
export async function openShopContext(
  databaseUrl: string,
): Promise<Context & { close: () => Promise<void> }> {
  const db = openTestDatabase(databaseUrl)
  const { ENCRYPTION_KEYS, SESSION_SECRET } = productionEnv
  const env = readEnv('demo', { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS, SESSION_SECRET })
  const keys = await openShopKeys(db, env)
  return { ...testContext(db, { keys, now: new Date() }), close: () => db.destroy() }
}

const userSchema = z.object({ id: z.string() })

/** The id of a signed-in customer. */
export async function readUserId(client: PlainClient): Promise<string> {
  const reply = await client.send('GET', '/api/auth/user')
  if (reply.status !== 200) throw new UnexpectedReplyError(reply, 'auth/user')
  return userSchema.parse(JSON.parse(reply.body)).id
}

/**
 * Gives a customer a transcribed prescription with one item for each medicine, each for one pack
 * and these refills.
 */
export async function prescribe(
  shop: Context,
  { userId, medicines, refills }: { userId: string; medicines: readonly TestMedicine[]; refills: number },
): Promise<string[]> {
  const { db, keys } = shop
  const now = new Date()
  const { id: prescriptionId } = await addPrescription(db, userId, { now, keys })
  const writtenOn = now.toISOString().slice(0, 10)
  const itemIds: string[] = []
  for (const { variantIds } of medicines) {
    const item = {
      userId,
      prescriptionId,
      variantId: variantIds[0],
      unitsPerFill: packTablets,
      refills,
      writtenOn,
    }
    itemIds.push(await addItem(db, item))
  }
  return itemIds
}
