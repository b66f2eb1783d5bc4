import type { Db } from '#db/engine/client.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '#server/context.ts'
import { getLot } from '#server/inventory/list-lots.ts'
import { quarantineLot, writeOffLot } from '#server/inventory/quarantine-lot.ts'
import { getRecall } from '#server/recalls/get-recall.ts'
import { endHold, holdAllRecalledStock } from '#server/recalls/hold-recalled-stock.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addVariant, testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { recallReport } from '#tests/support/recall-reports.ts'
import { addPackage, importRecalls, receive } from '#tests/support/recalls.ts'
import { expect, test } from 'vitest'
import { recallFile } from './recall-file-support.ts'

const recallId = 'D-0001-2026'

/** A package with 10 held units, and the form that records that 5 of them were destroyed. */
async function holdUnits(db: Db) {
  const ctx = asAdmin(db)
  const variantId = await addPackage(db, '0143-1473-01', '00143147301')
  await receive(ctx, variantId, null, 10)
  const report = recallReport(recallId, '0143-1473-01', { code_info: 'All lots within expiry' })
  await importRecalls(ctx, recallFile(report))
  const form = {
    recallId,
    variantId,
    held: 10,
    quantity: 5,
    outcome: 'destroyed',
    reason: 'Certificate 12',
    requestKey: newId(),
  } as const
  return { ctx, variantId, form }
}

const heldUnits = async (ctx: Context) => {
  const { holds, endedHolds } = await getRecall(ctx, recallId)
  return { held: holds.map(({ units }) => units), ended: endedHolds?.map(({ units }) => units) }
}

/** A lot in quarantine with 10 units, and the form that writes 5 of them off. */
async function quarantineUnits(db: Db) {
  const ctx = asAdmin(db)
  const variantId = await addVariant(db, { stockQuantity: 0, inStock: false })
  await receive(ctx, variantId, 'A', 10)
  const { id: lotId } = await db.selectFrom('stockLots').select('id').executeTakeFirstOrThrow()
  await quarantineLot(ctx, { lotId, reason: 'Wet carton' })
  const { version } = await getLot(ctx, lotId)
  return { ctx, lotId, form: { lotId, version, quantity: 5, reason: 'Destroyed', requestKey: newId() } }
}

const lotUnits = async (ctx: Context, lotId: string) => {
  const { lot, history } = await getLot(ctx, lotId)
  const writtenOff = history.rows.flatMap((row) =>
    row.kind === 'action' && row.action === 'written-off' ? [row.units] : [],
  )
  return { left: lot.quantity, writtenOff }
}

eachEngine((_engine, openDb) => {
  test('a record of held units whose reply was lost is recorded once, also when as many are held again', async () => {
    const { ctx, variantId, form } = await holdUnits(await openDb())
    expect(await endHold(ctx, form)).toBe(true)
    expect(await endHold(ctx, form)).toBe(false)
    expect(await heldUnits(ctx)).toEqual({ held: [5], ended: [5] })
    // The recall takes five more units out of the stock. The first form then shows what is held.
    await ctx.db
      .updateTable('productVariants')
      .set({ stockQuantity: 5 })
      .where('id', '=', variantId)
      .execute()
    await holdAllRecalledStock(ctx)
    await endHold(ctx, form)
    expect(await heldUnits(ctx)).toEqual({ held: [10], ended: [5] })
  })

  test('concurrent submissions of a record of held units all succeed, and record it once', async () => {
    const { ctx, form } = await holdUnits(await openDb())
    await Promise.all([endHold(ctx, form), endHold(ctx, form), endHold(ctx, form)])
    expect(await heldUnits(ctx)).toEqual({ held: [5], ended: [5] })
    const audited = await ctx.db
      .selectFrom('auditLog')
      .select('objectId')
      .where('action', '=', 'recall-hold.ended')
      .execute()
    expect(audited).toEqual([{ objectId: form.requestKey }])
  })

  test('a form that recorded held units refuses another record', async () => {
    const { ctx, form } = await holdUnits(await openDb())
    await endHold(ctx, form)
    for (const other of [{ quantity: 1 }, { outcome: 'supplier' }, { reason: 'Certificate 13' }] as const) {
      await expect(endHold(ctx, { ...form, held: 5, ...other })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'This form already recorded 5 units. Check what is left before you record more.',
      })
    }
    expect(await heldUnits(ctx)).toEqual({ held: [5], ended: [5] })
  })

  test('a write-off whose reply was lost is recorded once, and its concurrent submissions all succeed', async () => {
    const { ctx, lotId, form } = await quarantineUnits(await openDb())
    const sent = await Promise.all([1, 2, 3].map(() => writeOffLot(ctx, form)))
    expect(sent.filter((isWrittenOff) => isWrittenOff)).toHaveLength(1)
    const { version } = await getLot(ctx, lotId)
    expect(await writeOffLot(ctx, { ...form, version })).toBe(false)
    expect(await lotUnits(ctx, lotId)).toEqual({ left: 5, writtenOff: [5] })
  })

  test('a form that wrote units off refuses another write-off, and a stale one without a key', async () => {
    const { ctx, lotId, form } = await quarantineUnits(await openDb())
    await writeOffLot(ctx, { ...form, quantity: 1 })
    const { version } = await getLot(ctx, lotId)
    await expect(writeOffLot(ctx, { ...form, version })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'This form already recorded 1 unit. Check what is left before you record more.',
    })
    await expect(writeOffLot(ctx, { ...form, requestKey: undefined })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await lotUnits(ctx, lotId)).toEqual({ left: 9, writtenOff: [1] })
  })

  test('events are listed by when they were recorded, not by when their forms were opened', async () => {
    const { ctx, form } = await holdUnits(await openDb())
    const later = asAdmin(ctx.db, new Date(testDay.getTime() + 60_000))
    await endHold(ctx, { ...form, requestKey: newId(testDay.getTime() + 60_000) })
    const earlierKey = form.requestKey.replace(/^.{8}/, '01900000')
    await endHold(later, { ...form, held: 5, quantity: 2, requestKey: earlierKey })
    expect(await heldUnits(ctx)).toEqual({ held: [3], ended: [2, 5] })
  })
})
