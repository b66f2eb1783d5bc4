import { openShopKeys } from '#server/crypto/shop-keys.ts'
import type { Context } from '#server/context.ts'
import { readEnv } from '#server/env.ts'
import { newAdmin, UnexpectedReplyError } from '#tests/support/buyer.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import type { PlainClient } from '#tests/support/http-client.ts'
import { answerHealthQuestions, transcribe } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { z } from 'zod'
import { createOne } from './site.ts'

/** What pharmacists decide about every line of a medicine. So each order's outcome is known. */
export type Decision = 'clear' | 'refuse' | 'ask'

/** A prescription medicine of two manufacturers. Each pack holds 30 tablets. */
export type TestMedicine = { variantIds: [string, string]; decision: Decision }

const packTablets = 30
const dayMs = 24 * 3600_000

/**
 * Creates prescription medicines through the API, with enough stock.
 * @param decisions those of the medicines, in turn
 */
export async function addTestMedicines(
  origin: string,
  count: number,
  decisions: readonly Decision[] = ['clear'],
): Promise<TestMedicine[]> {
  const admin = await newAdmin(origin)
  const medicines: TestMedicine[] = []
  for (let i = 0; i < count; i++) {
    const name = `Faultapril ${nameOf(i)}`
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
      decision: decisions[i % decisions.length] ?? 'clear',
    })
  }
  admin.close()
  return medicines
}

/** "A" to "Z", "BA", "BB" and so on: digits in a name would look like a strength. */
const nameOf = (i: number): string =>
  (i < 26 ? '' : nameOf(Math.floor(i / 26))) + String.fromCharCode(65 + (i % 26))

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

/** The most items of one prescription. */
const itemsPerPrescription = 20

/**
 * Gives a customer prescriptions that the shop's pharmacist has transcribed, with an item for each
 * medicine: one pack and these refills. Returns the items' ids.
 */
export async function prescribe(
  shop: Context,
  { userId, medicines, refills }: { userId: string; medicines: readonly TestMedicine[]; refills: number },
): Promise<string[]> {
  const { db, keys } = shop
  const now = new Date()
  const pharmacist = await db.selectFrom('pharmacistLicenses').select('userId').executeTakeFirstOrThrow()
  const ctx = { ...shop, now, user: signedIn(pharmacist.userId, { roles: ['pharmacist'] }) }
  await answerHealthQuestions(db, userId, { keys })
  const itemIds: string[] = []
  for (let from = 0; from < medicines.length; from += itemsPerPrescription) {
    const some = medicines.slice(from, from + itemsPerPrescription)
    const { id } = await addPrescription(db, userId, { now, keys })
    await transcribe(
      ctx,
      { id, version: 1 },
      some.map(({ variantIds }) => variantIds[0]),
      {
        writtenOn: new Date(now.getTime() - 90 * dayMs).toISOString().slice(0, 10),
        items: some.map(() => ({ units: packTablets, daysSupply: 30, refills, directions: '1 tab po qday' })),
      },
    )
    const items = await db
      .selectFrom('prescriptionItems')
      .select('id')
      .where('prescriptionId', '=', id)
      .execute()
    itemIds.push(...items.map((item) => item.id))
  }
  return itemIds
}

/** Dates back what was dispensed, so that its refills are open. */
export async function openRefills({ db }: Context): Promise<void> {
  const dispensedAt = new Date(Date.now() - 60 * dayMs)
  await db.updateTable('fills').set({ dispensedAt }).where('status', '=', 'dispensed').execute()
}
