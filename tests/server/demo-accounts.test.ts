import type { Db } from '#db/engine/client.ts'
import { caseQuerySchema } from '#domain/dispensing/case-inputs.ts'
import { processHolds } from '#server/checkout/process-holds.ts'
import { verifyStock } from '#server/checkout/verify-stock.ts'
import { transcribeOnce } from '#server/demo/demo-dispensing.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { listCases } from '#server/reviews/list-cases.ts'
import { verifyFills } from '#server/reviews/verify-fills.ts'
import { clearInputOf } from '#tests/support/pharmacist.ts'
import { demoPatients } from '#server/demo/demo-patients.ts'
import { demoEmails, demoPassword, createDemoAccounts } from '#server/demo/demo-accounts.ts'
import { createDemoHistory } from '#server/demo/history/create-history.ts'
import { openIdDocument } from '#server/accounts/id-document.ts'
import { verifyPassword } from '#server/accounts/passwords.ts'
import { findCredentials } from '#db/accounts/credentials.ts'
import { blindIndex } from '#server/crypto/tokens.ts'
import type { OpenedFile } from '#server/files/open-file.ts'
import { closedPayments } from '#server/integrations/payments/closed-payments.ts'
import { demoPayments } from '#server/integrations/payments/demo-payments.ts'
import { listOrderHistory } from '#server/orders/list-orders.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { deletePrescription } from '#server/prescriptions/delete-prescription.ts'
import { listPrescriptions } from '#server/prescriptions/list-prescriptions.ts'
import { openPrescriptionFile } from '#server/prescriptions/open-prescription-file.ts'
import { jobParts, signedIn, storageOf, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

class Crash extends Error {}

/** A database that fails after this many statements, like a killed process. */
function failAfter(db: Db, statements: number): Db {
  let left = statements
  return db.withPlugin({
    transformQuery: ({ node }) => {
      if (left-- <= 0) throw new Crash()
      return node
    },
    transformResult: async ({ result }) => result,
  })
}

async function idOf(db: Db, email: string): Promise<string> {
  const found = await findCredentials(db, blindIndex(testKeys, 'email', email))
  if (!found) throw new Error(`${email} doesn’t have an account.`)
  return found.id
}

const textOf = async (file: Promise<OpenedFile>): Promise<string> => text((await file).stream)

eachEngine((_engine, openDb) => {
  test('with a real payment provider the demo has accounts but no orders', async () => {
    const db = await openDb('demo')
    // Stripe is not reachable here.
    const payments = { ...closedPayments, kind: 'stripe' as const }
    await createDemoAccounts(testContext(db, { payments }))
    expect(await db.selectFrom('users').select('id').execute()).toHaveLength(demoEmails.length)
    expect(await db.selectFrom('orders').select('id').execute()).toEqual([])
    expect(await db.selectFrom('checkouts').select('id').execute()).toEqual([])
  })

  test('an interrupted demo setup is resumed and creates everything once', { timeout: 60_000 }, async () => {
    const db = await openDb('demo')
    let crashes = 0
    for (let statements = 2; ; statements += 17) {
      try {
        const dying = failAfter(db, statements)
        const parts = { storage: storageOf(db), payments: demoPayments(dying) }
        await createDemoAccounts(testContext(dying, parts))
        break
      } catch (error) {
        if (!(error instanceof Crash)) throw error
        crashes++
      }
    }
    expect(crashes).toBeGreaterThan(5)
    expect(await db.selectFrom('users').select('id').execute()).toHaveLength(
      demoEmails.length + demoPatients.length,
    )
    const customer = testContext(db, { user: signedIn(await idOf(db, 'customer@meridian.test')) })
    expect(await listPrescriptions(customer)).toMatchObject([{ status: 'approved' }])
    const [prescription] = await listPrescriptions(customer)
    const file = openPrescriptionFile(customer, prescription?.id ?? '')
    expect(await textOf(file)).toMatch(/^%PDF-1\.4[^]*Lisinopril[^]*%%EOF\n$/)
    expect(await textOf(openIdDocument(customer, customer.user?.id ?? ''))).toMatch(
      /^%PDF-1\.4[^]*Elena Marsh/,
    )
    const files = await db.selectFrom('files').select('registeredAt').execute()
    expect(files.filter(({ registeredAt }) => registeredAt !== null)).toHaveLength(
      2 + 2 * demoPatients.length,
    )
    expect((await listOrderHistory(customer, { page: 1 })).orders).toMatchObject([
      { status: 'processing', hasRx: true, prescriptionId: prescription?.id, customerName: 'Elena Marsh' },
      { status: 'shipped', trackingNumber: '1Z999AA10123456784', carrier: 'UPS' },
      { status: 'delivered', hasRx: true, items: [{}, {}, {}] },
    ])
    expect(await db.selectFrom('outbox').select('id').execute()).toEqual([])
    const findings: string[] = []
    await verifyFills({ db, keys: testKeys }, (finding) => void findings.push(finding))
    expect(findings).toEqual([])
    const checkouts = await db.selectFrom('checkouts').select('status').execute()
    expect(checkouts.map(({ status }) => status).filter((status) => status !== 'cancelled')).toEqual(
      Array.from({ length: 3 + demoPatients.length }, () => 'ordered'),
    )
    const held = db.selectFrom('productVariants').select('id').where('reservedQuantity', '>', 0)
    expect(await held.execute()).toEqual([])
    const credentials = await findCredentials(db, blindIndex(testKeys, 'email', 'new@meridian.test'))
    expect(await verifyPassword(credentials?.passwordHash ?? '', demoPassword)).toBe(true)
  })

  test('the pharmacist clears the queue at once, and the money is captured', async () => {
    const db = await openDb('demo')
    // Demo payments keep the time of the clock.
    const now = new Date()
    await createDemoAccounts(testContext(db, { now }))
    const jonas = await idOf(db, 'pharmacist@meridian.test')
    const pharmacist = testContext(db, { now, user: signedIn(jonas, { roles: ['pharmacist'] }) })
    const captured = async (now: Date) => {
      const { log, keys } = pharmacist
      await processHolds({ db, log, keys, now: () => now }, jobParts(db), new AbortController().signal)
      return db.selectFrom('paymentHolds').select('orderId').where('status', '=', 'captured').execute()
    }
    // Elena's first order, and what was left of the one with a refused line.
    const before = await captured(now)
    expect(before).toHaveLength(2)
    const { rows } = await listCases(pharmacist, { ...caseQuerySchema.parse({ filter: 'all' }), size: 50 })
    expect(rows.map(({ patientName, lines }) => [patientName, lines])).toEqual([
      ['Samuel Ito', { waiting: 0, asked: 1, cleared: 0, refused: 0 }],
      ['Tomas Rivera', { waiting: 1, asked: 0, cleared: 1, refused: 0 }],
      ['Margaret Oyelaran', { waiting: 1, asked: 0, cleared: 0, refused: 0 }],
      ['Walter Quinn', { waiting: 2, asked: 0, cleared: 0, refused: 0 }],
      ['Elena Marsh', { waiting: 1, asked: 0, cleared: 0, refused: 0 }],
    ])
    for (const { id: orderId, patientName } of rows) {
      const patient = demoPatients.find(({ lastName }) => patientName.endsWith(lastName))
      const {
        patient: { id: patientId },
        lines,
      } = await getCase(pharmacist, orderId)
      if (patient) await transcribeOnce(pharmacist, { patientId, orderId }, patient.prescription, now)
      for (const { id } of lines) {
        const line = (await getCase(pharmacist, orderId)).lines.find((candidate) => candidate.id === id)
        if (line?.status === 'waiting' || line?.status === 'asked')
          await clearLine(pharmacist, clearInputOf(line))
      }
    }
    expect(await captured(new Date(now.getTime() + 1000))).toHaveLength(before.length + rows.length)
  })

  test('a later demo start changes nothing and does not recreate deleted data', async () => {
    const db = await openDb('demo')
    await createDemoAccounts(testContext(db))
    const [customerId, adminId] = [
      await idOf(db, 'customer@meridian.test'),
      await idOf(db, 'admin@meridian.test'),
    ]
    const customer = testContext(db, { user: signedIn(customerId) })
    const admin = testContext(db, { user: signedIn(adminId, { isAdmin: true }) })
    const { orders } = await listOrderHistory(customer, { page: 1 })
    for (const [i, status] of (['cancelled', 'delivered', 'pending'] as const).entries()) {
      await setOrderStatus(admin, orders[i]?.id ?? '', { status })
    }
    const rows = async () => ({
      users: await db.selectFrom('users').selectAll().orderBy('id').execute(),
      files: await db.selectFrom('files').selectAll().orderBy('id').execute(),
      audit: await db.selectFrom('auditLog').selectAll().orderBy('id').execute(),
      orders: await db.selectFrom('orders').selectAll().orderBy('id').execute(),
    })
    const before = await rows()
    await createDemoAccounts(testContext(db))
    expect(await rows()).toEqual(before)
  })

  test('the demo’s past is made once, and its stock, payments and refunds agree', async () => {
    const db = await openDb('demo')
    await createDemoAccounts(testContext(db))
    const stepsOf = () => db.selectFrom('auditLog').select('id').orderBy('id').execute()
    const before = (await stepsOf()).length
    await createDemoHistory(testContext(db), 60)
    const orders = await db.selectFrom('orders').select(['status', 'userId', 'capturedCents']).execute()
    expect(orders.length).toBeGreaterThan(50)
    expect(new Set(orders.map(({ status }) => status)).size).toBeGreaterThan(2)
    expect(
      orders.filter(({ status }) => status === 'delivered').every((order) => order.capturedCents > 0),
    ).toBe(true)
    const refunds = await db.selectFrom('refunds').select('doneAt').execute()
    expect(refunds.length).toBeGreaterThan(0)
    expect(refunds.every(({ doneAt }) => doneAt !== null)).toBe(true)
    const findings: unknown[] = []
    await verifyStock({ db, keys: testKeys }, (finding) => void findings.push(finding))
    expect(findings).toEqual([])
    const after = await stepsOf()
    expect(after.length).toBeGreaterThan(before + 200)
    await createDemoHistory(testContext(db), 60)
    expect(await stepsOf()).toEqual(after)
  })

  test('a deleted demo prescription stays deleted, and an empty catalog has no orders', async () => {
    const db = await openDb()
    await createDemoAccounts(testContext(db))
    const customer = testContext(db, { user: signedIn(await idOf(db, 'customer@meridian.test')) })
    const [prescription] = await listPrescriptions(customer)
    await deletePrescription(customer, prescription?.id ?? '')
    await createDemoAccounts(testContext(db))
    expect(await db.selectFrom('prescriptions').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('orders').select('id').execute()).toEqual([])
  })
})
