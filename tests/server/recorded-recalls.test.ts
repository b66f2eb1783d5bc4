import type { Db } from '#db/engine/client.ts'
import { listRecalls as listCareRecalls } from '#db/screening/recalls.ts'
import { rebuildSearch } from '#db/search/rebuild-search.ts'
import { newId } from '#domain/ids.ts'
import { toFactKeys } from '#domain/screening/fact-keys.ts'
import { unknownPatient } from '#domain/screening/patient.ts'
import { recallQuerySchema } from '#domain/screening/recall-list.ts'
import { recordBounds, recordRecallSchema, type RecordRecall } from '#domain/screening/recorded-recall.ts'
import { screen } from '#domain/screening/screen.ts'
import { updateVariant } from '#server/catalog/update-variant.ts'
import { releaseLot } from '#server/inventory/quarantine-lot.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { settleRecalls } from '#server/recalls/apply-recalls.ts'
import { findRecallPackages } from '#server/recalls/find-recall-packages.ts'
import { getRecallFields } from '#server/recalls/get-recall-fields.ts'
import { getRecall } from '#server/recalls/get-recall.ts'
import { endHold, holdAllRecalledStock } from '#server/recalls/hold-recalled-stock.ts'
import { listOrderRecalls } from '#server/recalls/list-order-recalls.ts'
import { listRecalls } from '#server/recalls/list-recalls.ts'
import { readNdcPackagesOnce } from '#server/recalls/package-codes.ts'
import { endRecall, previewRecordedRecall, recordRecall } from '#server/recalls/record-recall.ts'
import { findFacts } from '#server/screening/find-facts.ts'
import { screenCase } from '#server/screening/screen-case.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { asCustomer, buy } from '#tests/support/checkouts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'

import { recallReport } from '#tests/support/recall-reports.ts'
import { addPackage, importRecalls, recallMails, receive } from '#tests/support/recalls.ts'
import { lineOf, today } from '#tests/support/screening.ts'
import { recordStatements } from '#tests/support/record-statements.ts'
import { findStockFaults } from '#tests/support/stock-faults.ts'
import { expect, test } from 'vitest'
import { recallFile, recallRow, recallTsv } from './recall-file-support.ts'

/** A call about these variants, by default about all lots. */
function call(variantIds: string[], fields: Record<string, string> = {}): RecordRecall {
  const {
    products: _,
    carried: _carried,
    previewed: _previewed,
    code: _code,
    ...parsed
  } = recordRecallSchema.parse({
    ...typed(),
    ...fields,
  })
  return { ...parsed, variantIds }
}

const byId = ([a]: (string | boolean)[], [b]: (string | boolean)[]): number =>
  String(a).localeCompare(String(b))

/** What an admin types. */
const typed = () => ({
  requestKey: crypto.randomUUID(),
  firm: 'Example Labs',
  reference: 'Dana Kim, wholesaler, 555-0100, case 7',
  initiated: '2026-01-02',
  reason: 'Metal particles',
  products: 'DIN 02237998',
  scope: 'all',
})

const addCanadian = async (db: Db, fields: Parameters<typeof addVariant>[1] = {}): Promise<string> => {
  const id = await addVariant(db, { din: '02237998', stockQuantity: 0, inStock: false, ...fields })
  await db
    .insertInto('variantIdentifiers')
    .values({ kind: 'din', value: '02237998', variantId: id })
    .execute()
  return id
}

const lotStates = async (db: Db) =>
  (await db.selectFrom('stockLots').selectAll().orderBy('lotNumber').execute()).map(
    ({ lotNumber, status }) => [lotNumber, status],
  )

const auditOf = async (db: Db, action: 'recall.recorded' | 'recall.ended') =>
  db.selectFrom('auditLog').select('objectId').where('action', '=', action).execute()

eachEngine((_engine, openDb) => {
  test('a recorded recall of lots has the effects of an imported one, on a Canadian package', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addCanadian(db)
    await receive(ctx, id, 'BAD 1', 3)
    const customer = await asCustomer(db)
    const { order: sent } = await buy(customer, id)
    await setOrderStatus(ctx, sent.id, { status: 'shipped' })
    const { order: open } = await buy(customer, id)
    await receive(ctx, id, 'GOOD-1', 5)
    const input = call([id], { scope: 'listed', lots: 'bad-1, BAD-2\nBAD2' })
    expect(input.lots).toEqual(['bad-1', 'BAD-2'])

    const preview = await previewRecordedRecall(ctx, input)
    expect(preview.effects).toMatchObject({
      packages: 1,
      outsideCatalog: 0,
      lots: [{ lotNumber: 'BAD 1', quantity: 1 }],
      looseUnits: 0,
      openOrders: 1,
      shippedOrders: 1,
      customers: 1,
    })
    expect(preview.unknownLots).toEqual(['BAD-2'])
    expect(await recallMails(db)).toEqual([])

    // A double submit, and a job beside it: one recall, and each effect once.
    const twice = await Promise.all([recordRecall(ctx, input), recordRecall(ctx, input)])
    const recallId = twice[0].id
    expect(recallId).toMatch(/^SHOP-[\dA-F]{8}$/)
    expect(twice.map((one) => one.id)).toEqual([recallId, recallId])
    expect(twice.filter(({ result }) => result === null)).toHaveLength(1)
    const later = { ...ctx, now: new Date(ctx.now.getTime() + 120_000) }
    await Promise.all([settleRecalls(later), holdAllRecalledStock(ctx)])
    expect(await auditOf(db, 'recall.recorded')).toEqual([{ objectId: recallId }])
    expect(await lotStates(db)).toEqual([
      ['BAD 1', 'quarantined'],
      ['GOOD-1', 'available'],
    ])
    expect(await recallMails(db)).toHaveLength(1)
    expect(await findStockFaults(db)).toEqual([])
    await expect(setOrderStatus(ctx, open.id, { status: 'shipped' })).rejects.toEqual(
      expect.objectContaining({ code: 'CONFLICT' }),
    )
    expect(await receive(ctx, id, 'BAD-2', 4)).toMatchObject({ lotStatus: 'quarantined' })
    expect(await listOrderRecalls({ ...customer, now: ctx.now }, sent.id)).toMatchObject([
      { recallId, report: { recallClass: 'not known', firm: 'Example Labs', isRecorded: true } },
    ])
    expect(await getRecall(ctx, recallId)).toMatchObject({
      recall: { recallClass: 'not known', status: 'Ongoing', product: expect.stringContaining('Ibuprofen') },
      recorded: { note: 'Dana Kim, wholesaler, 555-0100, case 7', ended: null },
      variants: [{ id }],
      open: [{ orderId: open.id }],
      notified: [{ orderId: sent.id }],
    })
    const events = await db.selectFrom('recallEvents').selectAll().execute()
    expect(JSON.stringify(events)).not.toContain('Dana Kim')
    expect((await listRecalls(ctx, recallQuerySchema.parse({ show: 'ongoing' }))).rows).toMatchObject([
      { id: recallId, recallClass: 'not known', lots: 2, notified: 1 },
    ])
  })

  test('a recorded recall of all lots takes a package without stock tracking off sale until it ends', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addCanadian(db, { trackInventory: false, inStock: true })
    const customer = await asCustomer(db)
    const { order } = await buy(customer, id)
    const input = call([id], { recallClass: 'I' })
    expect((await previewRecordedRecall(ctx, input)).effects).toMatchObject({
      takenOffSale: 1,
      openOrders: 1,
    })
    const { id: recallId, result } = await recordRecall(ctx, input)
    expect(result).toMatchObject({ takenOffSale: 1, looseUnits: 0, openOrders: 1 })
    await expect(buy(customer, id)).rejects.toThrow('Ibuprofen: Out of stock.')
    await expect(setOrderStatus(ctx, order.id, { status: 'shipped' })).rejects.toEqual(
      expect.objectContaining({
        message: expect.stringMatching(/: Recall SHOP-.* \(class I\) is for all lots/),
      }),
    )
    // Staff can't set it back. What another process did, the job takes off sale again.
    const inStock = expect.objectContaining({
      code: 'INVALID',
      fields: { inStock: expect.stringMatching(/can’t be in stock until the recall has ended/) },
    })
    await expect(updateVariant(ctx, id, { inStock: true })).rejects.toEqual(inStock)
    await updateVariant(ctx, id, { trackInventory: true })
    await expect(updateVariant(ctx, id, { trackInventory: false, inStock: true })).rejects.toEqual(inStock)
    await updateVariant(ctx, id, { trackInventory: false, inStock: false })
    await db.updateTable('productVariants').set({ inStock: true }).where('id', '=', id).execute()
    expect(await holdAllRecalledStock(ctx)).toEqual({ lots: 0, looseUnits: 0, takenOffSale: 1 })

    await endRecall(ctx, { id: recallId, reason: 'Another strength was meant' })
    await updateVariant(ctx, id, { inStock: true })
    expect(await holdAllRecalledStock(ctx)).toEqual({ lots: 0, looseUnits: 0, takenOffSale: 0 })
    await buy(customer, id)
    expect((await setOrderStatus(ctx, order.id, { status: 'shipped' })).status).toBe('shipped')
  })

  test('an import of any list keeps a recorded recall, and once ended it has no effect', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addPackage(db, '0143-1473-01', '00143147301')
    await receive(ctx, id, 'BAD-1', 3)
    await receive(ctx, id, null, 2)
    const listed = await recordRecall(ctx, call([id], { scope: 'listed', lots: 'BAD-1' }))
    const all = await recordRecall(ctx, call([id]))
    expect(all.result).toMatchObject({ looseUnits: 2 })
    await importRecalls(ctx, recallFile(recallReport('D-0001-2026', '99999-111-22')))
    await importRecalls(ctx, recallTsv(recallRow('D-0002-2026', '99999-111-23')))
    expect((await listRecalls(ctx, recallQuerySchema.parse({}))).rows.map((row) => row.id)).toEqual(
      [listed.id, all.id].toSorted().toReversed(),
    )
    await expect(receive(ctx, id, null, 1)).rejects.toEqual(expect.objectContaining({ code: 'INVALID' }))

    const ends = await Promise.allSettled([
      endRecall(ctx, { id: all.id, reason: 'Now D-0009-2026' }),
      endRecall(ctx, { id: all.id, reason: 'Now D-0009-2026' }),
    ])
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await endRecall(ctx, { id: listed.id, reason: 'It was another lot' })
    expect(await auditOf(db, 'recall.ended')).toHaveLength(2)
    expect(await getRecall(ctx, all.id)).toMatchObject({
      hasEnded: true,
      recall: { status: 'Ended' },
      recorded: { ended: { note: 'Now D-0009-2026' } },
      holds: [{ variantId: id, units: 2 }],
    })
    // Nothing returns by itself. Staff release the lot and return the units.
    expect(await lotStates(db)).toEqual([['BAD-1', 'quarantined']])
    const lot = await db.selectFrom('stockLots').select('id').executeTakeFirstOrThrow()
    await releaseLot(ctx, { lotId: lot.id, reason: 'Not recalled' })
    const hold = { recallId: all.id, variantId: id, held: 2, quantity: 2, reason: 'Not recalled' }
    await endHold(ctx, { ...hold, outcome: 'stock' })
    expect(await holdAllRecalledStock(ctx)).toEqual({ lots: 0, looseUnits: 0, takenOffSale: 0 })
    expect(await findStockFaults(db)).toEqual([])
  })

  test('a form that the browser shows again records another recall when it has other content', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const variantIds = [await addVariant(db), await addCanadian(db)]
    const first = call(variantIds)
    const { id } = await recordRecall(ctx, first)
    expect(await recordRecall(ctx, { ...first, variantIds: variantIds.toReversed() })).toEqual({
      id,
      isNew: false,
      result: null,
    })
    const other = await recordRecall(ctx, { ...first, variantIds: variantIds.slice(1) })
    expect(other.id).not.toBe(id)
    expect(other.result).toMatchObject({ recalls: 1 })
    // Its page must not read as if it had an effect again.
    await endRecall(ctx, { id, reason: 'Ended by mistake' })
    await expect(recordRecall(ctx, first)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('has ended'),
    })
  })

  test('a code finds the packages with the same NDC in another form, and they are recalled too', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const dashed = await addPackage(db, '0143-1473-03', '00143147303')
    const digits = await addVariant(db, { ndc: '00143147303', stockQuantity: 0, inStock: false })
    const ten = await addVariant(db, { ndc: '0143147303', stockQuantity: 0, inStock: false })
    await addPackage(db, '0143-1473-04', '00143147304')
    const { choices, missing } = await findRecallPackages(ctx, {
      text: '0143-1473-03',
      shown: [],
      chosen: [],
    })
    expect(missing).toEqual([])
    expect(choices.map(({ id, isChosen }) => [id, isChosen]).toSorted(byId)).toEqual(
      [dashed, digits, ten].map((id) => [id, true]).toSorted(byId),
    )
    await db.updateTable('productVariants').set({ deletedAt: new Date() }).where('id', '!=', ten).execute()
    const typed = await findRecallPackages(ctx, { text: '0143-1473-03', shown: [], chosen: [] })
    expect(typed.choices.map(({ id }) => id)).toEqual([ten])
  })

  test('a text that is not one lot is refused, and says how to enter lots', () => {
    for (const lots of ['A100 through A120', 'GOOD-1\nA100 A101', 'Lot A100', '7'.repeat(61)]) {
      const { error } = recordRecallSchema.safeParse({ ...typed(), scope: 'listed', lots })
      expect(error?.issues).toMatchObject([
        { path: ['lots'], message: expect.stringMatching(/can’t be read as one lot.*choose “All lots”/) },
      ])
    }
  })

  test('a lot that is printed with a dash between numbers is stored as printed, and a range is not taken for it', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addCanadian(db)
    await receive(ctx, id, '231047', 3)
    const known = call([id], { scope: 'listed', lots: '23-1047' })
    expect(await previewRecordedRecall(ctx, known)).toMatchObject({ unknownLots: [], unclearLots: [] })
    const { id: recallId } = await recordRecall(ctx, known)
    expect((await getRecall(ctx, recallId)).recall.lots).toEqual(['23-1047'])
    expect(await lotStates(db)).toEqual([['231047', 'quarantined']])

    // A lot that was never received may be a range, until it is confirmed.
    const unclear = { scope: 'listed', lots: '23-1047, B12-B15, 100/105, B7' }
    expect(await previewRecordedRecall(ctx, call([id], unclear))).toMatchObject({
      unknownLots: ['B12-B15', '100/105', 'B7'],
      unclearLots: ['B12-B15', '100/105'],
    })
    await expect(recordRecall(ctx, call([id], { ...unclear, printedLots: 'B12-B15' }))).rejects.toMatchObject(
      {
        code: 'INVALID',
        fields: {
          printedLots: 'Confirm that these are lots and not ranges: 100/105.',
        },
      },
    )
    const confirmed = call([id], { ...unclear, printedLots: 'B12-B15 100/105' })
    expect((await recordRecall(ctx, confirmed)).isNew).toBe(true)
  })

  test('a press reads the packages with an NDC once, and not at all for one without', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const counted = recordStatements(db)
    const read = readNdcPackagesOnce(counted)
    const press = async (text: string) => {
      const { choices } = await findRecallPackages(ctx, { text, shown: [], chosen: [] }, read)
      const input = call(
        choices.map(({ id }) => id),
        { scope: 'listed', lots: 'BAD1, BAD-2, 23-1047', printedLots: '23-1047' },
      )
      await previewRecordedRecall(ctx, input, read)
      await recordRecall(ctx, input, read)
    }
    await addCanadian(db)
    await press('DIN 02237998')
    expect(counted.statements).toEqual([])
    await addPackage(db, '0143-1473-01', '00143147301')
    await press('0143-1473-01')
    expect(counted.statements).toEqual(['SelectQueryNode'])
  })

  test('a deleted package with a recalled code is named in the preview and on the page, and is recalled', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const thirty = await addCanadian(db, { packageSize: 30 })
    const deleted = await addCanadian(db, { packageSize: 500, stockQuantity: 4, inStock: true })
    await receive(ctx, deleted, 'BAD-1', 5)
    const { order } = await buy(await asCustomer(db), deleted)
    await setOrderStatus(ctx, order.id, { status: 'shipped' })
    await db.updateTable('productVariants').set({ deletedAt: ctx.now }).where('id', '=', deleted).execute()
    const { effects } = await previewRecordedRecall(ctx, call([thirty]))
    expect(effects).toMatchObject({
      packages: 1,
      deletedPackages: 1,
      deletedNames: [expect.stringMatching(/^Ibuprofen, .*500/)],
      lots: [{ lotNumber: 'BAD-1' }],
      looseUnits: 0,
      customers: 1,
    })
    const { id, result } = await recordRecall(ctx, call([thirty]))
    expect(result).toMatchObject({ lots: 1, looseUnits: 0, customers: 1 })
    const { variants } = await getRecall(ctx, id)
    expect(variants.map((one) => [one.id, one.isDeleted ?? false]).toSorted(byId)).toEqual(
      [[thirty, false] as (string | boolean)[], [deleted, true]].toSorted(byId),
    )
  })

  test('the codes that a recall leaves out are listed in its preview and on its page', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const thirty = await addCanadian(db, { packageSize: 30, upc: '300450449108' })
    await addCanadian(db, { packageSize: 100 })
    const bare = await addVariant(db, { ndc: '0143147303' })
    const unnamed = ['DIN 02237998', 'NDC 0143147303']
    const input = call([thirty, bare])
    expect((await previewRecordedRecall(ctx, input)).unnamedCodes?.toSorted()).toEqual(unnamed)
    const { id } = await recordRecall(ctx, input)
    expect((await getRecall(ctx, id)).unnamedCodes?.toSorted()).toEqual(unnamed)
    await endRecall(ctx, { id, reason: 'By mistake' })
    expect((await getRecall(ctx, id)).unnamedCodes).toEqual([])
  })

  test('a form that ends a recall ends it once, and refuses to end another or for another reason', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const ids = [await addCanadian(db), await addVariant(db)]
    const [first, second] = await Promise.all(ids.map((id) => recordRecall(ctx, call([id]))))
    // The key may be older than the recall: it is the time of the server that showed the form.
    const form = { id: first?.id ?? '', reason: 'Another strength was meant', requestKey: newId(0) }
    const ends = await Promise.all([1, 2, 3].map(() => endRecall(ctx, form)))
    expect(ends.filter((isEnded) => isEnded)).toHaveLength(1)
    expect(await endRecall(ctx, form)).toBe(false)
    expect(await auditOf(db, 'recall.ended')).toEqual([{ objectId: form.id }])
    expect((await getRecall(ctx, form.id)).recorded).toMatchObject({
      note: typed().reference,
      ended: { note: form.reason },
    })
    const conflict = { code: 'CONFLICT', message: expect.stringMatching(/already sent, with other content/) }
    for (const other of [{ reason: 'Now D-0009-2026' }, { id: second?.id ?? '' }])
      await expect(endRecall(ctx, { ...form, ...other })).rejects.toMatchObject(conflict)
    expect((await getRecall(ctx, second?.id ?? '')).recall.status).toBe('Ongoing')
  })

  test('the fields of a recall are those that record it again', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const ndc = await addPackage(db, '0143-1473-01', '00143147301')
    const ids = [ndc, await addCanadian(db), await addVariant(db)]
    const input = call(ids, { scope: 'listed', lots: 'BAD-1\nBAD-2', recallClass: 'II' })
    const { id } = await recordRecall(ctx, input)
    await expect(getRecallFields(ctx, id)).rejects.toMatchObject({ code: 'CONFLICT' })
    await endRecall(ctx, { id, reason: 'Ended by mistake' })
    const { values, packages } = await getRecallFields(ctx, id)
    expect(packages.choices.map((choice) => [choice.id, choice.isChosen]).toSorted(byId)).toEqual(
      ids.map((one) => [one, true]).toSorted(byId),
    )
    expect({ ...call(ids, values), requestKey: input.requestKey }).toEqual(input)
    await addPackage(db, '0143-1473-02', '00143147302')
    await importRecalls(ctx, recallFile(recallReport('D-0001-2026', '0143-1473-02')))
    for (const unknown of ['D-0001-2026', 'SHOP-00000000', '\0'])
      await expect(getRecallFields(ctx, unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const pharmacist = testContext(db, {
      user: signedIn(await makeUser(db, { roles: ['pharmacist'] }), { roles: ['pharmacist'] }),
    })
    await expect(getRecallFields(pharmacist, id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('a package that was not chosen stays so when the recall is recorded again', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const thirty = await addCanadian(db, { packageSize: 30 })
    const hundred = await addCanadian(db, { packageSize: 100 })
    const codesOf = async (recallId: string) =>
      (await listCareRecalls(db, { ids: [recallId] })).flatMap(({ codes }) => codes)
    const { id } = await recordRecall(ctx, call([thirty]))
    await endRecall(ctx, { id, reason: 'Ended by mistake' })
    const { packages } = await getRecallFields(ctx, id)
    const states = [
      [thirty, true],
      [hundred, false],
    ]
    expect(packages.choices.map((choice) => [choice.id, choice.isChosen])).toEqual(states)
    // The form sends what it listed, also beside a line that finds both.
    const carried = packages.carried ?? []
    for (const text of ['', 'DIN 02237998']) {
      const again = await findRecallPackages(ctx, { text, carried, shown: carried, chosen: [thirty] })
      expect(again.choices.map((choice) => [choice.id, choice.isChosen])).toEqual(states)
      expect(again).toMatchObject({ missing: [], unchosen: [], isCut: false })
    }
    // Both the recall and the form leave the shared code to staff.
    expect(await codesOf((await recordRecall(ctx, call([thirty]))).id)).toEqual([`variant:${thirty}`])
  })

  test('a recall of more packages than the form has lines is recorded again', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const productId = await addProduct(db, { name: 'A long name '.repeat(15) })
    const ids = await Promise.all(
      Array.from({ length: 25 }, (_, at) => addVariant(db, { productId, ndc: `0143-1473-${at + 10}` })),
    )
    const { id } = await recordRecall(ctx, call(ids))
    await endRecall(ctx, { id, reason: 'Ended by mistake' })
    const { values, packages } = await getRecallFields(ctx, id)
    const chosen = packages.choices.filter(({ isChosen }) => isChosen).map((choice) => choice.id)
    expect(chosen.toSorted()).toEqual(ids.toSorted())
    const { carried } = packages
    expect(await findRecallPackages(ctx, { text: '', carried, shown: carried, chosen })).toEqual(packages)
    const form = { ...typed(), ...values, products: '', carried: carried.join(' ') }
    expect(recordRecallSchema.safeParse(form).success).toBe(true)
  })

  test('packages that a recall did not cover make way for one that staff add', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const productId = await addProduct(db)
    const carried = await Promise.all(
      Array.from({ length: recordBounds.packages }, () => addVariant(db, { productId })),
    )
    const chosen = carried.slice(-6)
    const added = await addVariant(db, { productId, ndc: '0143-1473-10' })
    const search = { text: '0143-1473-10', carried, shown: carried }
    const found = await findRecallPackages(ctx, { ...search, chosen })
    expect(found).toMatchObject({ missing: [], unchosen: [], isCut: false })
    const ids = found.choices.flatMap(({ id, isChosen }) => (isChosen ? id : []))
    expect(ids.toSorted()).toEqual([...chosen, added].toSorted())
    expect((await findRecallPackages(ctx, { ...search, chosen: carried })).isCut).toBe(true)
  })

  test('a note that can’t be decrypted is not the source of a recall that is recorded again', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const { id } = await recordRecall(ctx, call([await addCanadian(db)]))
    await endRecall(ctx, { id, reason: 'Ended by mistake' })
    await db.updateTable('recallEvents').set({ sealedNote: 'damaged' }).execute()
    expect((await getRecallFields(ctx, id)).values['reference']).toBe('')
    expect((await getRecall(ctx, id)).recorded?.note).toBe('This note can’t be decrypted.')
  })

  test('only a recorded recall can be ended', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    await addPackage(db, '0143-1473-01', '00143147301')
    await importRecalls(ctx, recallFile(recallReport('D-0001-2026', '0143-1473-01')))
    for (const id of ['D-0001-2026', 'SHOP-00000000'])
      await expect(endRecall(ctx, { id, reason: 'Over' })).rejects.toEqual(
        expect.objectContaining({ code: 'CONFLICT' }),
      )
  })

  test('packages are found by NDC, DIN, UPC and name, and those of a code are chosen', async () => {
    const db = await openDb('demo')
    const ctx = asAdmin(db)
    const coded = await db
      .selectFrom('productVariants')
      .innerJoin('products', 'products.id', 'productVariants.productId')
      .select(['productVariants.id', 'ndc', 'products.name'])
      .where('ndc', 'like', '%-%')
      .orderBy('productVariants.id')
      .executeTakeFirstOrThrow()
    const din = await addCanadian(db, { productId: await firstProduct(db) })
    const search = { shown: [], chosen: [] }
    const text = `${coded.ndc}\r\n DIN 02237998 \n\nnothing has this name`
    const found = await findRecallPackages(ctx, { ...search, text })
    expect(found).toMatchObject({ missing: ['nothing has this name'], isCut: false })
    expect(found.choices.map(({ id, isChosen }) => [id, isChosen])).toEqual([
      [coded.id, true],
      [din, true],
    ])
    expect(found.unchosen).toEqual([])
    const named = await findRecallPackages(ctx, { ...search, text: `${coded.name}\nDIN 02237998` })
    expect(named.unchosen).toEqual([coded.name])
    expect(named.choices.find(({ id }) => id === coded.id)).toMatchObject({ isChosen: false })
    const ofEach = { text: `${coded.name}\nDIN 02237998`, shown: [coded.id, din], chosen: [coded.id] }
    expect((await findRecallPackages(ctx, ofEach)).unchosen).toEqual(['DIN 02237998'])
    const again = { text, shown: [coded.id, din], chosen: [din] }
    expect((await findRecallPackages(ctx, again)).choices.map(({ isChosen }) => isChosen)).toEqual([
      false,
      true,
    ])
  })

  test('each line needs a chosen package of its own, and a line of which all packages are chosen has none to overlook', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const canadian = await addCanadian(db)
    const bySku = await addVariant(db, { sku: 'BOTTLE-1' })
    await rebuildSearch(db)
    const choose = (lines: string[], chosen: string[]) =>
      findRecallPackages(ctx, { text: lines.join('\n'), shown: [canadian, bySku], chosen })
    const unchosenOf = async (lines: string[], chosen: string[]) => (await choose(lines, chosen)).unchosen
    const both = ['Ibuprofen', 'DIN 02237998']
    expect((await choose(both, [])).choices).toHaveLength(2)
    expect(await unchosenOf(both, [])).toEqual(both)
    // The package of the code does not pass the name, which finds another one too.
    expect(await unchosenOf(both, [canadian])).toEqual(['Ibuprofen'])
    expect(await unchosenOf(both, [bySku])).toEqual(['DIN 02237998'])
    expect(await unchosenOf(both, [canadian, bySku])).toEqual([])
    expect(await unchosenOf(['02237998', 'DIN 02237998'], [canadian])).toEqual([])
    const three = ['Ibuprofen', 'ibuprofen tablet', 'BOTTLE-1']
    expect(await unchosenOf(three, [bySku])).toEqual(['Ibuprofen', 'ibuprofen tablet'])
  })

  test('a later variant with the NDC of a recalled package is recalled, and one that was not chosen is not', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const codesOf = async (recallId: string) =>
      (
        await db
          .selectFrom('careRecallPackages')
          .select('ndc')
          .where('recallId', '=', recallId)
          .orderBy('ndc')
          .execute()
      ).map(({ ndc }) => ndc)
    const id = await addPackage(db, '0143-1473-01', '00143147301')
    await addPackage(db, '0143-1473-02', '00143147302')
    const recorded = await recordRecall(ctx, call([id]))
    // The NDC is what releases before recorded recalls match.
    expect(await codesOf(recorded.id)).toEqual(['00143147301', `variant:${id}`])
    const again = await addVariant(db, { ndc: '0143-1473-01', stockQuantity: 0, inStock: false })
    await expect(receive(ctx, again, null, 1)).rejects.toEqual(expect.objectContaining({ code: 'INVALID' }))
    const lines = [lineOf(['IBUPROFEN'], { variantId: id, ndc: '00143147301' })]
    const facts = await findFacts(ctx, toFactKeys(lines, unknownPatient))
    expect(screen({ lines, today, patient: unknownPatient }, facts).alerts).toHaveLength(1)

    // Two variants have this NDC now, and ten digits may be another package's.
    const one = await recordRecall(ctx, call([again], { scope: 'listed', lots: 'BAD-9' }))
    expect(await codesOf(one.id)).toEqual([`variant:${again}`])
    expect(await receive(ctx, again, 'BAD-9', 1)).toMatchObject({ lotStatus: 'quarantined' })
    const bare = await addVariant(db, { ndc: '0143147303', stockQuantity: 0, inStock: false })
    expect(await codesOf((await recordRecall(ctx, call([bare]))).id)).toEqual([`variant:${bare}`])
  })

  test.each([
    ['din', '02237998', ' 2237998'],
    ['upc', '300450449108', '0300450449108'],
  ] as const)(
    'a later variant with the %s of a recalled package is recalled',
    async (kind, value, written) => {
      const db = await openDb()
      const ctx = asAdmin(db)
      const addCoded = async (fields: Parameters<typeof addVariant>[1]): Promise<string> => {
        const variantId = await addVariant(db, { stockQuantity: 0, inStock: false, ...fields })
        await db.insertInto('variantIdentifiers').values({ kind, value, variantId }).execute()
        return variantId
      }
      const codesOf = async (recallId: string) =>
        (await listCareRecalls(db, { ids: [recallId] })).flatMap(({ codes }) => codes.toSorted())
      const id = await addCoded({ [kind]: value })
      const { id: recallId } = await recordRecall(ctx, call([id]))
      expect(await codesOf(recallId)).toEqual([`${kind}:${value}`, `variant:${id}`].toSorted())

      const later = await addCoded({ [kind]: written, trackInventory: false, inStock: true })
      expect(await holdAllRecalledStock(ctx)).toEqual({ lots: 0, looseUnits: 0, takenOffSale: 1 })
      await expect(receive(ctx, later, null, 1)).rejects.toEqual(expect.objectContaining({ code: 'INVALID' }))
      expect((await getRecall(ctx, recallId)).variants.map((variant) => variant.id).toSorted()).toEqual(
        [id, later].toSorted(),
      )
      const line = { id: '1', name: 'Ibuprofen', variantId: later, itemId: null, fill: null, lots: null }
      const { alerts } = await screenCase(ctx, {
        lines: [line],
        patient: unknownPatient,
        dispensed: [],
        turnedDown: [],
      })
      expect(alerts.map((alert) => alert.kind)).toContain('recall')
      // Two variants have this code now. One that is not chosen keeps it out.
      const ofOne = await recordRecall(ctx, call([later], { scope: 'listed', lots: 'BAD-9' }))
      expect(await codesOf(ofOne.id)).toEqual([`variant:${later}`])
    },
  )

  test('what fails after a recall is recorded is left to the job, and the other effects happen', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addCanadian(db, { trackInventory: false, inStock: true })
    const customer = await asCustomer(db)
    const { order } = await buy(customer, id)
    await setOrderStatus(ctx, order.id, { status: 'shipped' })
    const { sealedEmail, ...user } = await db
      .selectFrom('users')
      .select(['id', 'sealedEmail'])
      .where('id', '=', customer.user?.id ?? '')
      .executeTakeFirstOrThrow()
    await db.updateTable('users').set({ sealedEmail: 'broken' }).where('id', '=', user.id).execute()
    const recorded = await recordRecall(ctx, call([id]))
    expect(recorded).toMatchObject({ isNew: true, result: null })
    expect(await db.selectFrom('productVariants').select('inStock').execute()).toMatchObject([
      { inStock: false },
    ])
    await db.updateTable('users').set({ sealedEmail }).where('id', '=', user.id).execute()
    await settleRecalls(ctx)
    expect(await recallMails(db)).toHaveLength(1)
  })

  test('an error names all stock that could not be held, and what can be held is held', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addCanadian(db)
    for (const lot of ['BAD-1', 'BAD-2', 'BAD-3']) await receive(ctx, id, lot, 3)
    const untracked = await addVariant(db, { trackInventory: false })
    await recordRecall(ctx, call([id, untracked]))
    await db.updateTable('stockLots').set({ status: 'available' }).execute()
    await db.updateTable('productVariants').set({ inStock: true, stockQuantity: 9 }).execute()
    // Only lots write to this table.
    await db.schema.alterTable('lotEvents').renameTo('otherEvents').execute()
    await expect(holdAllRecalledStock(ctx)).rejects.toMatchObject({
      code: 'INTERNAL',
      message: 'Recalled stock could not be held: lot BAD-1; lot BAD-2; lot BAD-3.',
      cause: { message: expect.stringContaining('lot_events'), errors: { length: 3 } },
    })
    const variant = db.selectFrom('productVariants').select('inStock').where('id', '=', untracked)
    expect(await variant.execute()).toEqual([{ inStock: false }])
  })

  test('an error about stock that could not be held names ten of it, by name', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const productId = await addProduct(db)
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        addVariant(db, { productId, packageSize: at + 1, stockQuantity: 0, inStock: false }),
      ),
    )
    await recordRecall(ctx, call(ids))
    await db.updateTable('productVariants').set({ stockQuantity: 9 }).execute()
    await db.schema.alterTable('recallHolds').renameTo('otherHolds').execute()
    const error: unknown = await holdAllRecalledStock(ctx).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^Recalled stock could not be held: units in no lot of Ibuprofen, [^;]*(; units in no lot of Ibuprofen, [^;]*){9}; 2 more\.$/,
      ),
      cause: { errors: { length: 10 } },
    })
  })

  test('the alerts of a line have a recorded recall of its variant', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addCanadian(db)
    await recordRecall(ctx, call([id]))
    const lines = [lineOf(['IBUPROFEN'], { variantId: id })]
    const facts = await findFacts(ctx, toFactKeys(lines, unknownPatient))
    expect(facts.recalls).toMatchObject([{ list: 'recorded-recalls', class: 'not known' }])
    const [alert, ...others] = screen({ lines, today, patient: unknownPatient }, facts).alerts
    expect(others).toEqual([])
    expect(alert).toMatchObject({ kind: 'recall', effect: 'block', detail: 'Metal particles' })
  })

  test('recording and ending need the permission, a recent code, packages and a day that has begun', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db)
    const pharmacist = testContext(db, {
      user: signedIn(await makeUser(db, { roles: ['pharmacist'] }), { roles: ['pharmacist'] }),
    })
    const forbidden = expect.objectContaining({ code: 'FORBIDDEN' })
    await expect(previewRecordedRecall(pharmacist, call([id]))).rejects.toEqual(forbidden)
    await expect(recordRecall(pharmacist, call([id]))).rejects.toEqual(forbidden)
    await expect(endRecall(pharmacist, { id: 'SHOP-1', reason: 'x' })).rejects.toEqual(forbidden)
    const search = { text: 'x', shown: [], chosen: [] }
    await expect(findRecallPackages(pharmacist, search)).rejects.toEqual(forbidden)
    const user = {
      ...signedIn(ctx.user?.id ?? '', { isAdmin: true }),
      hasSecondFactor: true,
      factorVerifiedAt: null,
    }
    const codeRequired = expect.objectContaining({ code: 'CODE_REQUIRED' })
    await expect(recordRecall({ ...ctx, user }, call([id]))).rejects.toEqual(codeRequired)
    await expect(endRecall({ ...ctx, user }, { id: 'SHOP-1', reason: 'x' })).rejects.toEqual(codeRequired)
    const invalid = (field: string) =>
      expect.objectContaining({ code: 'INVALID', fields: { [field]: expect.any(String) } })
    await expect(recordRecall(ctx, call([]))).rejects.toEqual(invalid('products'))
    await expect(recordRecall(ctx, call(['00000000-0000-7000-8000-000000000000']))).rejects.toEqual(
      invalid('products'),
    )
    await expect(recordRecall(ctx, call([id], { initiated: '2999-01-01' }))).rejects.toEqual(
      invalid('initiated'),
    )
    expect(await db.selectFrom('careRecalls').select('id').execute()).toEqual([])
  })
})

const firstProduct = async (db: Db): Promise<string> =>
  (await db.selectFrom('products').select('id').orderBy('id').executeTakeFirstOrThrow()).id

test.each([
  [{ scope: 'listed' }, 'lots'],
  [{ lots: 'A1' }, 'lots'],
  [{ scope: 'some' }, 'scope'],
  [{ scope: 'listed', lots: 'A'.repeat(61) }, 'lots'],
  [{ reason: ' ' }, 'reason'],
  [{ firm: '' }, 'firm'],
  [{ products: ' \n' }, 'products'],
  [{ reference: '' }, 'reference'],
  [{ initiated: '2026-02-30' }, 'initiated'],
  [{ recallClass: 'IV' }, 'recallClass'],
  [{ requestKey: 'x' }, 'requestKey'],
])('a recall with %o is refused', (fields, field) => {
  const result = recordRecallSchema.safeParse({ ...typed(), ...fields })
  expect(result.error?.issues.map(({ path }) => path[0])).toEqual([field])
})
