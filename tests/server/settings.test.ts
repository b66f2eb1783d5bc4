import type { Db } from '#db/engine/client.ts'
import { insertRecord } from '#db/records/dispensing-records.ts'
import type { Role } from '#domain/accounts/permissions.ts'
import { userQuerySchema } from '#domain/accounts/user-rows.ts'
import { addYears } from '#domain/records/dispensing-record.ts'
import type { Settings } from '#domain/settings/settings.ts'
import { addDrugSchema, describeListed, statesThatSchedule } from '#domain/settings/state-scheduled.ts'
import { changeAccessOfMany } from '#server/accounts/change-access.ts'
import { getDashboard } from '#server/dashboard/get-dashboard.ts'
import { getStatus } from '#server/monitoring/get-status.ts'
import { findLicense, recordLicense } from '#server/accounts/pharmacist-license.ts'
import { listTargetPharmacists, type UserTarget } from '#server/accounts/list-targets.ts'
import { getSecondChecks } from '#server/second-checks/count-second-checks.ts'
import { removeLicense } from '#server/second-checks/remove-license.ts'
import { inTransaction, type Context } from '#server/context.ts'
import { deleteUser } from '#server/privacy/delete-user.ts'
import { countScheduledProducts } from '#server/settings/count-scheduled-products.ts'
import { getSettings } from '#server/settings/get-settings.ts'
import { listSettingChanges } from '#server/settings/list-setting-changes.ts'
import { saveSettings, tooFewPharmacists } from '#server/settings/save-settings.ts'
import { addStateScheduled, removeStateScheduled } from '#server/settings/state-scheduled.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addProduct } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { untilWaiting } from '#tests/support/lock-waits.ts'
import { addPharmacist } from '#tests/support/pharmacist.ts'
import { expect, test } from 'vitest'

const actAs = async (db: Db, firstName: string, ...roles: Role[]): Promise<Context> =>
  testContext(db, { user: signedIn(await makeUser(db, { firstName, lastName: null, roles }), { roles }) })
const idOf = (ctx: Context): string => ctx.user?.id ?? ''
const error = (code: string, fields: Record<string, string> = {}) => expect.objectContaining({ code, fields })
const change = (before: Partial<Settings>, changes: Partial<Settings>) => ({ before, changes })

/** Whether the dashboard and the status page warn that prescription orders can't ship. */
const warnings = async (ctx: Context) => [
  (await getDashboard(ctx, 7)).lacksPharmacist,
  (await getStatus(ctx)).lacksPharmacist,
]

eachEngine((_engine, openDb) => {
  test('each change of a setting is in the history, and a stale edit changes nothing', async () => {
    const db = await openDb()
    const [ada, ben] = [await actAs(db, 'Ada', 'admin'), await actAs(db, 'Ben', 'admin')]
    expect(await getSettings(ada)).toMatchObject({
      refillOpensAtPercent: 75,
      twoPharmacists: false,
      captureMarginHours: 24,
      retentionYears: 10,
      careListMaxAgeDays: 180,
      recallNoticeDays: 365,
      stateScheduled: [],
      turnedDownAlerts: [],
    })
    // Until an admin saves it, the environment decides.
    const longer = { ...ada, shop: { ...ada.shop, recordRetentionYears: 15 } }
    expect((await getSettings(longer)).retentionYears).toBe(15)
    const shorter = change({ retentionYears: 15 }, { retentionYears: 7 })
    await saveSettings(longer, { ...shorter, confirmedRetention: 7 })
    expect((await getSettings(longer)).retentionYears).toBe(7)

    const [first, second] = await Promise.allSettled(
      [ada, ben].map((ctx, index) =>
        saveSettings(ctx, change({ refillOpensAtPercent: 75 }, { refillOpensAtPercent: 80 + index })),
      ),
    )
    expect([first?.status, second?.status].toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      'fulfilled',
      'rejected',
    ])
    const { refillOpensAtPercent: now } = await getSettings(ada)
    const current = `Another admin changed this to ${now}% of the days’ supply. Save again to replace it.`
    await expect(
      saveSettings(
        ben,
        change(
          { refillOpensAtPercent: 75, captureMarginHours: 24 },
          { refillOpensAtPercent: 90, captureMarginHours: 12 },
        ),
      ),
    ).rejects.toEqual(error('CONFLICT', { refillOpensAtPercent: current }))
    expect((await getSettings(ada)).captureMarginHours).toBe(24)
    // Fields of which only others are stale.
    await saveSettings(ben, change({ captureMarginHours: 24 }, { captureMarginHours: 12 }))
    // Saving what is shown changes nothing.
    await saveSettings(ben, change({ captureMarginHours: 12 }, { captureMarginHours: 12 }))

    await deleteUser(ada, idOf(ben))
    const { changes, next } = await listSettingChanges(ada, { before: null })
    expect(changes.map(({ label, change, by }) => [label, change, by])).toEqual([
      ['Capture before the authorization lapses', 'From 24 hours to 12 hours', 'a former staff member'],
      [
        'When a refill opens',
        `From 75% of the days’ supply to ${now}% of the days’ supply`,
        expect.any(String),
      ],
      ['Retention of dispensing records', 'From 15 years to 7 years', 'Ada'],
    ])
    expect(next).toBe(null)
    await expect(listSettingChanges(await actAs(db, 'Pia', 'pharmacist'), { before: null })).rejects.toEqual(
      error('FORBIDDEN'),
    )
  })

  test('a shorter retention of records is saved only with a confirmation of these years', async () => {
    const db = await openDb()
    const admin = await actAs(db, 'Ada', 'admin')
    const shorten = (confirmedRetention: number | null) =>
      saveSettings(admin, { ...change({ retentionYears: 10 }, { retentionYears: 1 }), confirmedRetention })
    const question = (text: string) => error('CONFIRMATION_REQUIRED', { confirmedRetention: text })
    await expect(shorten(null)).rejects.toEqual(
      question(
        'No dispensing record is older than 1 year now. Later records will be deleted at that age and can’t be restored.',
      ),
    )
    const twoYearsAgo = addYears(admin.now, -2)
    const orderIds = ['019a0000-0000-7000-8000-000000000001', '019a0000-0000-7000-8000-000000000002']
    for (const orderId of orderIds)
      await insertRecord(
        db,
        { orderId, sealedRecord: '', storageKey: null, dispensedAt: twoYearsAgo, createdAt: twoYearsAgo },
        { wrappedKey: '', moreFiles: [] },
      )
    // A box that was checked for other years confirms nothing.
    await expect(shorten(5)).rejects.toEqual(
      question('2 dispensing records older than 1 year will be deleted within a day and can’t be restored.'),
    )
    expect((await getSettings(admin)).retentionYears).toBe(10)
    expect((await shorten(1)).retentionYears).toBe(1)
    // Keeping them longer deletes nothing.
    expect(await saveSettings(admin, change({ retentionYears: 1 }, { retentionYears: 10 }))).toMatchObject({
      retentionYears: 10,
    })
  })

  test('a second check needs two active pharmacists whose licenses another admin recorded', async () => {
    const db = await openDb()
    const admin = await actAs(db, 'Ada', 'admin', 'pharmacist')
    const [one, two] = [await actAs(db, 'One', 'pharmacist'), await actAs(db, 'Two', 'pharmacist')]
    const turnOn = () => saveSettings(admin, change({ twoPharmacists: false }, { twoPharmacists: true }))
    const tooFew = error('INVALID', { twoPharmacists: tooFewPharmacists })
    await expect(turnOn()).rejects.toEqual(tooFew)
    const license = { number: 'PH-1042', jurisdiction: 'NY' }
    const record = (ctx: Context, before: typeof license | null = null, next = license) =>
      recordLicense(admin, { userId: idOf(ctx), before, ...next })
    await expect(record(admin)).rejects.toEqual(error('CONFLICT'))
    await expect(record(await actAs(db, 'Sue', 'support'))).rejects.toEqual(error('CONFLICT'))
    await expect(recordLicense(one, { userId: idOf(two), before: null, ...license })).rejects.toEqual(
      error('FORBIDDEN'),
    )
    await record(one)
    await record(two)
    expect(await findLicense(admin, idOf(one))).toEqual(license)
    // A stale edit: the license was recorded in the meantime, or changed.
    await expect(record(one)).rejects.toEqual(error('CONFLICT'))
    await record(one, license, { number: 'PH-2', jurisdiction: 'NJ' })
    await expect(record(one, license)).rejects.toEqual(error('CONFLICT'))

    await changeAccessOfMany(admin, { target: { ids: [idOf(two)] }, change: 'suspend', reason: 'On leave.' })
    await expect(turnOn()).rejects.toEqual(tooFew)
    await changeAccessOfMany(admin, { target: { ids: [idOf(two)] }, change: 'restore', reason: 'Back.' })
    expect((await turnOn()).twoPharmacists).toBe(true)
    expect(await warnings(admin)).toEqual([false, false])
    // Turning it off is always possible, and so is removing a license, once that is confirmed.
    const remove = (ctx: Context, isConfirmed: boolean) =>
      removeLicense(admin, { userId: idOf(ctx), isConfirmed })
    const message = 'Confirm that prescription orders won’t ship.'
    await expect(remove(two, false)).rejects.toEqual(error('CONFIRMATION_REQUIRED', { isConfirmed: message }))
    expect(await findLicense(admin, idOf(two))).toEqual(license)
    await remove(two, true)
    expect(await warnings(admin)).toEqual([true, true])
    expect((await getDashboard(one, 7)).lacksPharmacist).toBe(false)
    expect(await findLicense(admin, idOf(two))).toBe(null)
    await saveSettings(admin, change({ twoPharmacists: true }, { twoPharmacists: false }))
    expect(await warnings(admin)).toEqual([false, false])
    const { rows } = { rows: await db.selectFrom('auditLog').select(['action', 'subjectId']).execute() }
    expect(rows.filter(({ action }) => action.startsWith('license.'))).toHaveLength(4)
  })

  test('two admins who remove licenses at once leave two pharmacists, unless one confirms', async () => {
    const db = await openDb()
    const [ada, ben] = [await actAs(db, 'Ada', 'admin'), await actAs(db, 'Ben', 'admin')]
    const [one, two] = [await addPharmacist(db), await addPharmacist(db), await addPharmacist(db)]
    const setting = { name: 'twoPharmacists', value: 'true', updatedAt: ada.now } as const
    await db.insertInto('settings').values(setting).execute()
    const remove = (ctx: Context, pharmacist: Context) =>
      removeLicense(ctx, { userId: idOf(pharmacist), isConfirmed: false })
    const { second } = await inTransaction(ada, async (ctx) => {
      await remove(ctx, one)
      const waiting = remove(ben, two)
      await untilWaiting(db, waiting)
      return { second: Promise.allSettled([waiting]) }
    })
    const message = 'Confirm that prescription orders won’t ship.'
    expect(await second).toEqual([
      { status: 'rejected', reason: error('CONFIRMATION_REQUIRED', { isConfirmed: message }) },
    ])
    expect(await getSecondChecks(ada)).toEqual({ pharmacists: 2 })
  })

  test('the pharmacists among accounts to suspend are found', async () => {
    const db = await openDb()
    const admin = await actAs(db, 'Ada', 'admin')
    const pharmacistId = idOf(await addPharmacist(db))
    const customerId = await makeUser(db, { firstName: 'Cora', lastName: 'Lind' })
    const find = (target: UserTarget) => listTargetPharmacists(admin, target)
    const all = (params: object) => ({ query: userQuerySchema.parse(params) })
    expect(await find({ ids: [customerId, idOf(admin)] })).toEqual([])
    expect(await find({ ids: [customerId, pharmacistId] })).toEqual([pharmacistId])
    expect(await find(all({}))).toEqual([pharmacistId])
    expect(await find(all({ q: 'Lind' }))).toEqual([])
    expect(await find(all({ role: 'users' }))).toEqual([])
    await expect(
      listTargetPharmacists(await actAs(db, 'Sue', 'support'), { ids: [customerId] }),
    ).rejects.toEqual(error('FORBIDDEN'))
  })

  test('the list of drugs that a state schedules grows and shrinks, also concurrently', async () => {
    const db = await openDb()
    const admin = await actAs(db, 'Ada', 'admin')
    expect(addDrugSchema.safeParse({ ingredient: 'Gabapentin', states: 'ky, Michigan; KY' }).data).toEqual({
      ingredient: 'Gabapentin',
      states: ['KY', 'MI'],
      code: '',
    })
    expect(
      addDrugSchema.safeParse({ ingredient: 'x', states: 'KX' }).error?.issues.map(({ path }) => path[0]),
    ).toEqual(['ingredient', 'states', 'states'])
    await Promise.all(
      ['KY', 'MI', 'TN'].map((state) =>
        addStateScheduled(admin, { ingredient: 'Gabapentin', states: [state] }),
      ),
    )
    await expect(addStateScheduled(admin, { ingredient: 'GABAPENTIN', states: ['KY'] })).rejects.toEqual(
      error('INVALID', { states: 'The list has this drug for these states.' }),
    )
    const { stateScheduled } = await getSettings(admin)
    expect(statesThatSchedule(stateScheduled, ['Gabapentin enacarbil', 'Zinc'])).toEqual(['KY', 'MI', 'TN'])
    expect(statesThatSchedule(stateScheduled, ['Gabapentinoid'])).toEqual([])
    const zinc = { name: 'Zinc', ingredients: 'Zinc gluconate; Gabapentin enacarbil' }
    const products = [{ name: 'GABAPENTIN' }, zinc, { name: 'Gabapentinoid' }]
    for (const product of products) await addProduct(db, product)
    await addProduct(db, { ...zinc, deletedAt: admin.now })
    expect(await countScheduledProducts(admin, 'gabapentin')).toBe(2)
    expect(await countScheduledProducts(admin, 'gabapentinn')).toBe(0)
    expect([0, 1, 2].map((count) => describeListed('gabapentin', count))).toEqual([
      'No product in the catalog contains gabapentin. Check the spelling.',
      '1 product in the catalog contains gabapentin.',
      '2 products in the catalog contain gabapentin.',
    ])
    await removeStateScheduled(admin, { ingredient: 'Gabapentin', state: 'MI' })
    await removeStateScheduled(admin, { ingredient: 'Gabapentin', state: 'MI' })
    const { changes } = await listSettingChanges(admin, { before: null })
    expect(changes.map(({ change }) => change)[0]).toBe('Removed Gabapentin (MI)')
    expect(changes).toHaveLength(4)
  })
})
