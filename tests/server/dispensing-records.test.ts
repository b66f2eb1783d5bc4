import { findOldestErasure } from '#db/crypto/erasures.ts'
import type { Db } from '#db/engine/client.ts'
import { addYears } from '#domain/records/dispensing-record.ts'
import { verifyAudit } from '#server/audit/verify-audit.ts'
import type { Context } from '#server/context.ts'
import { parseKeyRing } from '#server/crypto/key-ring.ts'
import { rotateKeys } from '#server/crypto/rotate-keys.ts'
import { sweepFiles, sweepLeftovers } from '#server/files/sweep-files.ts'
import { chainAudit } from '#server/jobs/chain-audit.ts'
import { sendToPharmacy } from '#server/messages/send-message.ts'
import { createLog } from '#server/log.ts'
import { readOrderContent } from '#server/orders/order-reader.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { deleteUser } from '#server/privacy/delete-user.ts'
import { deleteExpiredRecords } from '#server/records/delete-expired-records.ts'
import { getRecord, openRecordFile } from '#server/records/get-record.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { signedIn, storageOf, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { homeAddress } from '#tests/support/orders.ts'
import { makePatient, prescribed, shipment } from '#tests/support/patients.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const never = new AbortController().signal
const readBytes = async (ctx: Context, order: string): Promise<Buffer> =>
  buffer((await openRecordFile(ctx, order)).stream)

const actionsOn = async (db: Db, userId: string, actorId: string | null) =>
  (
    await db
      .selectFrom('auditLog')
      .select(['action', 'objectId'])
      .where('subjectId', '=', userId)
      .where('actorId', actorId === null ? 'is' : '=', actorId)
      .where('action', 'in', ['record.kept', 'record.read', 'record.file-read', 'record.deleted'])
      .orderBy('id')
      .execute()
  ).map(({ action, objectId }) => [action, objectId])

eachEngine((_engine, openDb) => {
  test('the records of shipped prescription medicines outlive the account, under their own keys', async () => {
    const db = await openDb()
    const { ctx, staff, userId, pharmacist, used, unused, orders } = await makePatient(db)
    const [first, second, unshipped] = orders.map(({ id }) => id)
    const message = { subjectId: used.id, text: 'Is xanomeline a tablet?', requestKey: 'one submission' }
    await sendToPharmacy(ctx, message)
    await deleteUser(ctx, userId)
    const files = { ...ctx, log: createLog('silent'), now: () => testDay }
    await sweepLeftovers(files)
    await sweepFiles(files, never)

    expect(await db.selectFrom('prescriptions').select('id').execute()).toEqual([])
    expect(await db.selectFrom('userKeys').select('userId').execute()).toEqual([{ userId: pharmacist }])
    expect(await storageOf(db).get(used.fileId)).not.toBeNull()
    expect(await storageOf(db).get(unused.fileId)).toBeNull()
    for (const number of [first, `  ${first?.slice(-8).toUpperCase()} `]) {
      const record = await getRecord(staff, number ?? '')
      expect(record).toMatchObject({
        orderId: first,
        customerName: 'Zoë O’Hara',
        shippingAddress: homeAddress,
        lines: [{ quantity: 1, product: { name: 'Xanomeline' } }],
        carrier: 'UPS',
        trackingNumber: '1Z999',
        events: [{ status: 'shipped', at: testDay.toISOString(), by: 'Amara Diallo' }],
        prescriptions: [
          {
            ...prescribed,
            rxNumber: 'Rx 000001',
            status: 'approved',
            decidedBy: 'Amara Diallo',
            fileType: 'application/pdf',
          },
        ],
        dispensed: [
          {
            status: 'cleared',
            item: { unitsPerFill: 48, refills: 2 },
            fill: { units: 24, daysSupply: 15, status: 'dispensed', dispensedAt: testDay.toISOString() },
            decidedBy: 'a former staff member',
          },
        ],
        messages: [{ from: 'customer', text: 'Is xanomeline a tablet?' }],
        retainedUntil: addYears(testDay, 10).toISOString(),
      })
      expect(JSON.stringify(record)).not.toContain('"key"')
    }
    expect(await readBytes(staff, second ?? '')).toEqual(samplePdf('Xanomeline daily'))
    expect(await actionsOn(db, userId, userId)).toEqual([
      ['record.kept', first],
      ['record.kept', second],
    ])
    expect(await actionsOn(db, userId, pharmacist)).toEqual([
      ['record.read', first],
      ['record.read', first],
      ['record.file-read', second],
    ])

    // Names and addresses are in the records only.
    const rows = await db.selectFrom('orders').select(['id', 'sealedOrder']).orderBy('id').execute()
    expect(rows.map((row) => readOrderContent(testKeys, row).customer.name)).toEqual(['', '', ''])
    expect(rows.map((row) => readOrderContent(testKeys, row).lines.length)).toEqual([2, 2, 2])
    expect(JSON.stringify(await db.selectFrom('dispensingRecords').selectAll().execute())).not.toContain(
      userId,
    )

    const customer = testContext(db, { user: signedIn(await makeUser(db)) })
    for (const read of [getRecord, openRecordFile]) {
      await expect(read(testContext(db), first ?? '')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
      await expect(read(customer, first ?? '')).rejects.toMatchObject({ code: 'FORBIDDEN' })
      await expect(read(staff, unshipped ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' })
      for (const number of ['', 'abc', '%', '________', `${first}0`]) {
        await expect(read(staff, number)).rejects.toMatchObject({ code: 'INVALID' })
      }
      await expect(read(staff, '-')).rejects.toMatchObject({
        fields: { order: expect.any(String) as unknown },
      })
    }
  })

  test('a new master key opens the records, and the audit chain is whole', async () => {
    const db = await openDb()
    const { ctx, staff, userId, orders } = await makePatient(db)
    await deleteUser(ctx, userId)
    const fresh = `fresh:${randomBytes(32).toString('base64')}`
    await rotateKeys(db, parseKeyRing(`${fresh},${productionEnv.ENCRYPTION_KEYS}`))
    const after = { ...staff, keys: { ...testKeys, ...parseKeyRing(fresh) } }
    expect(await getRecord(after, orders[0].id)).toMatchObject({ customerName: 'Zoë O’Hara' })
    expect(await readBytes(after, orders[0].id)).toEqual(samplePdf('Xanomeline daily'))
    await chainAudit({ db, log: createLog('silent'), keys: testKeys }, never)
    const findings: string[] = []
    await verifyAudit(db, { keys: testKeys, onFinding: (sentence) => findings.push(sentence) })
    expect(findings).toEqual([])
  })

  test('at the end of the period the sweep deletes the rows, the keys and the file', async () => {
    const db = await openDb()
    const { ctx, staff, userId, used, orders } = await makePatient(db)
    await deleteUser(ctx, userId)
    const job = testContext(db)
    const sweep = async (now: Date, years = 10): Promise<string[]> => {
      await deleteExpiredRecords({ ...job, now, shop: { ...job.shop, recordRetentionYears: years } }, never)
      await sweepFiles({ ...job, now: () => now }, never)
      const keys = await db.selectFrom('recordKeys').select('orderId').orderBy('orderId').execute()
      const records = await db.selectFrom('dispensingRecords').select('orderId').orderBy('orderId').execute()
      expect(records).toEqual(keys)
      return records.map(({ orderId }) => orderId)
    }
    const end = addYears(testDay, 10).getTime()
    const both = [orders[0].id, orders[1].id]
    expect(await sweep(new Date(end - 1000))).toEqual(both)
    expect(await sweep(new Date(end + 1000), 11)).toEqual(both)
    await db.deleteFrom('erasures').execute()
    expect(await sweep(new Date(end + 1000))).toEqual([orders[1].id])
    expect(await findOldestErasure(db)).not.toBeNull()
    // The second record has the same file.
    expect(await readBytes(staff, orders[1].id)).toEqual(samplePdf('Xanomeline daily'))
    await expect(getRecord(staff, orders[0].id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await sweep(new Date(end + 3601_000))).toEqual([])
    expect(await storageOf(db).get(used.fileId)).toBeNull()
    expect(await db.selectFrom('files').select('id').where('id', '=', used.fileId).execute()).toEqual([])
    expect(await actionsOn(db, userId, null)).toEqual(both.map((id) => ['record.deleted', id]))
  })

  test('an order that ships while its customer deletes the account has a record, or does not ship', async () => {
    const db = await openDb()
    for (let round = 0; round < 4; round++) {
      const { ctx, staff, userId, orders } = await makePatient(db)
      const outcomes = await Promise.allSettled([
        setOrderStatus(staff, orders[2].id, shipment),
        deleteUser(ctx, userId),
      ])
      expect(outcomes[1].status).toBe('fulfilled')
      const order = await db
        .selectFrom('orders')
        .select('status')
        .where('id', '=', orders[2].id)
        .executeTakeFirstOrThrow()
      const record = await getRecord(staff, orders[2].id).catch(() => null)
      expect(order.status === 'shipped').toBe(record !== null)
      expect(order.status === 'shipped').toBe(outcomes[0].status === 'fulfilled')
    }
  })
})
