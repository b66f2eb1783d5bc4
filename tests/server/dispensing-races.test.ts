import type { Db } from '#db/engine/client.ts'
import { AppError } from '#domain/errors.ts'
import { processHolds } from '#server/checkout/process-holds.ts'
import type { Context } from '#server/context.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { decidePrescription } from '#server/prescriptions/decide-prescription.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { closeItem } from '#server/reviews/close-item.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { didNotLeave } from '#server/reviews/reopen-line.ts'
import { verifyFills } from '#server/reviews/verify-fills.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { asCustomer, buy } from '#tests/support/checkouts.ts'
import { jobParts, signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { addPharmacist, answerHealthQuestions, clearInputOf, transcribe } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { seededRandom } from '#domain/seeded-random.ts'
import { expect, test } from 'vitest'

const rounds = 40
/** With some seeds, every early order is cancelled. The rounds go on until one ships. */
const maxRounds = 200
const authorizedUnits = 90

/** A customer with an item for 30 tablets and two refills, two pharmacists and a packer. */
async function openShop(db: Db) {
  const customer = await asCustomer(db)
  const userId = customer.user?.id ?? ''
  await answerHealthQuestions(db, userId)
  // A medicine without a Medication Guide, so that nothing else holds back its shipments.
  const productId = await addProduct(db, { name: 'Amlodipine', category: 'Rx', ingredients: 'Amlodipine' })
  const variantId = await addVariant(db, { productId, genericName: 'Amlodipine', packageSize: 30 })
  const { id } = await addPrescription(db, userId)
  const pharmacists = [await addPharmacist(db), await addPharmacist(db, { firstName: 'Noa' })] as const
  const { prescriptions } = await transcribe(pharmacists[0], { id, version: 1 }, [variantId], {
    items: [{ units: '30', daysSupply: '10', refills: '2' }],
    // Each customer has the same prescriber and day.
    duplicateNote: 'Another patient',
  })
  const itemId = prescriptions[0]?.items[0]?.id ?? ''
  const packer = testContext(db, {
    user: signedIn('019a7c1e-0000-7000-8000-0000000000ad', { roles: ['fulfillment'] }),
  })
  return { customer, variantId, itemId, pharmacists, packer, prescriptionId: id }
}

/** What the rules refuse is part of the game; anything else is a failure. */
async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'INTERNAL') throw error
  }
}

const findingsOf = async (db: Db): Promise<string[]> => {
  const findings: string[] = []
  await verifyFills({ db, keys: testKeys }, (finding) => void findings.push(finding))
  return findings
}

const captureAll = (db: Db, now: Date): Promise<void> => {
  const { log, keys } = testContext(db)
  return processHolds({ db, log, keys, now: () => now }, jobParts(db), new AbortController().signal)
}

async function clearFirst(pharmacist: Context, orderId: string): Promise<void> {
  const [line] = (await getCase(pharmacist, orderId)).lines
  // A prescription that was rejected first offers no item.
  if (line?.candidates.length) await clearLine(pharmacist, clearInputOf(line, { destinationNote: 'Checked' }))
}

eachEngine((_engine, openDb) => {
  test(
    'concurrent orders, clearances, shipments and cancellations stay within the item',
    { timeout: 120_000 },
    async () => {
      const db = await openDb()
      const seed = process.env['DISPENSING_SEED'] ?? String(Date.now())
      const random = seededRandom(seed)
      const shop = await openShop(db)
      let now = testDay
      const listDispensed = () =>
        db.selectFrom('fills').select('id').where('status', '=', 'dispensed').execute()
      const isDone = async (round: number) =>
        round >= maxRounds || (round >= rounds && (await listDispensed()).length > 0)
      for (let round = 0; !(await isDone(round)); round++) {
        now = new Date(now.getTime() + random.below(4) * 24 * 3600 * 1000)
        const at = (ctx: Context): Context => ({ ...ctx, now })
        const open = await db
          .selectFrom('orders')
          .select(['id', 'status'])
          .where('status', '<>', 'cancelled')
          .execute()
        const act = async (): Promise<void> => {
          const order = open[random.below(open.length)]
          const choice = random.below(10)
          const pharmacist = at(shop.pharmacists[choice % 2 ? 1 : 0])
          if (!order || choice < 3) await buy(at(shop.customer), shop.variantId)
          else if (choice < 6) await clearFirst(pharmacist, order.id)
          else if (choice < 8) await setOrderStatus(at(shop.packer), order.id, { status: 'shipped' })
          else if (choice < 9) await cancelOrder(at(shop.customer), order.id)
          else {
            const [line] = (await getCase(pharmacist, order.id)).lines
            if (line)
              await didNotLeave(pharmacist, { lineId: line.id, version: line.version, reason: 'Found here' })
          }
        }
        await Promise.all(Array.from({ length: 3 }, () => attempt(act)))
        await captureAll(db, now)
      }
      expect(await findingsOf(db), `DISPENSING_SEED=${seed}`).toEqual([])
      const dispensed = await listDispensed()
      expect(dispensed.length * 30, `DISPENSING_SEED=${seed}`).toBeLessThanOrEqual(authorizedUnits)
      expect(dispensed.length, `DISPENSING_SEED=${seed}`).toBeGreaterThan(0)
    },
  )

  test('an item that is closed while its order ships: one of them comes first', async () => {
    const db = await openDb()
    for (let round = 0; round < 8; round++) {
      const { customer, variantId, itemId, pharmacists, packer } = await openShop(db)
      const [pharmacist] = pharmacists
      const { order } = await buy(customer, variantId)
      await clearFirst(pharmacist, order.id)
      await captureAll(db, testDay)
      const { version } = await db
        .selectFrom('prescriptionItems')
        .select('version')
        .where('id', '=', itemId)
        .executeTakeFirstOrThrow()
      await Promise.all([
        attempt(() => setOrderStatus(packer, order.id, { status: 'shipped' })),
        attempt(() => closeItem(pharmacist, { itemId, version, reason: 'revoked', note: 'By phone' })),
      ])
    }
    expect(await findingsOf(db)).toEqual([])
  })

  test('a prescription that is rejected while a line on it is cleared or shipped: one of them comes first', async () => {
    const db = await openDb()
    for (let round = 0; round < 12; round++) {
      const ships = round % 2 === 0
      const { customer, variantId, pharmacists, packer, prescriptionId } = await openShop(db)
      const [pharmacist, reviewer] = pharmacists
      const { order } = await buy(customer, variantId)
      if (ships) await clearFirst(pharmacist, order.id)
      await captureAll(db, testDay)
      await Promise.all([
        attempt(() =>
          ships ? setOrderStatus(packer, order.id, { status: 'shipped' }) : clearFirst(pharmacist, order.id),
        ),
        attempt(() =>
          decidePrescription(
            reviewer,
            prescriptionId,
            { status: 'rejected', statusReason: 'Revoked' },
            { link: 'https://shop.example' },
          ),
        ),
      ])
      const prescription = db.selectFrom('prescriptions').select('status').where('id', '=', prescriptionId)
      expect(await prescription.execute()).toEqual([{ status: 'rejected' }])
      const { status: orderStatus } = await db
        .selectFrom('orders')
        .select('status')
        .where('id', '=', order.id)
        .executeTakeFirstOrThrow()
      const [review] = (await getCase(pharmacist, order.id)).lines
      expect(review?.status).toBe(orderStatus === 'shipped' ? 'cleared' : 'waiting')
      await captureAll(db, testDay)
      if (orderStatus !== 'shipped')
        await expect(setOrderStatus(packer, order.id, { status: 'shipped' })).rejects.toThrow(AppError)
    }
    expect(await findingsOf(db)).toEqual([])
  })
})
