import type { Db } from '#db/engine/client.ts'
import { notSuspendedMessage } from '#domain/settings/second-checks.ts'
import { inTransaction, type Context } from '#server/context.ts'
import { findRoles } from '#db/accounts/users.ts'
import {
  changeAccessWithChecks,
  deleteUserWithChecks,
  replaceRolesWithChecks,
} from '#server/second-checks/change-account.ts'
import { getSecondChecks } from '#server/second-checks/count-second-checks.ts'
import { keepSecondChecks } from '#server/second-checks/keep-second-checks.ts'
import { removeLicense } from '#server/second-checks/remove-license.ts'
import { saveSettings } from '#server/settings/save-settings.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { untilWaiting } from '#tests/support/lock-waits.ts'
import { addPharmacist } from '#tests/support/pharmacist.ts'
import { expect, test, vi } from 'vitest'

const idOf = (ctx: Context): string => ctx.user?.id ?? ''

const asAdminOf = async (db: Db): Promise<Context> =>
  testContext(db, { user: signedIn(await makeUser(db, { isAdmin: true }), { isAdmin: true }) })

const requireChecks = (db: Db) =>
  db.insertInto('settings').values({ name: 'twoPharmacists', value: 'true', updatedAt: new Date() }).execute()

type Change = (ctx: Context, userId: string, isConfirmed: boolean) => Promise<unknown>

/** Each change after which a pharmacist may no longer do second checks. */
const changes: Record<string, Change> = {
  'a suspension': (ctx, userId, isConfirmed) =>
    changeAccessWithChecks(ctx, {
      target: { ids: [userId] },
      change: 'suspend',
      reason: 'On leave.',
      isConfirmed,
    }),
  'a change of roles': (ctx, userId, isConfirmed) =>
    replaceRolesWithChecks(ctx, { userId, before: ['pharmacist'], roles: ['support'], isConfirmed }),
  'a deletion': (ctx, userId, isConfirmed) => deleteUserWithChecks(ctx, { userId, isConfirmed }),
  'the removal of a license': (ctx, userId, isConfirmed) => removeLicense(ctx, { userId, isConfirmed }),
}

const unconfirmed = expect.objectContaining({
  code: 'CONFIRMATION_REQUIRED',
  message:
    'After this change, fewer than two active pharmacists will have a recorded license. Prescription orders won’t ship, because the shop requires a second check.',
  fields: { isConfirmed: 'Confirm that prescription orders won’t ship.' },
})

eachEngine((_engine, openDb) => {
  for (const [name, change] of Object.entries(changes)) {
    test(`${name} asks before prescription orders stop shipping, and only then`, async () => {
      const db = await openDb()
      const admin = await asAdminOf(db)
      const pharmacists = [await addPharmacist(db), await addPharmacist(db), await addPharmacist(db)]
      const [first = '', second = '', third = ''] = pharmacists.map(idOf)
      await requireChecks(db)
      const unlicensed = idOf(await addPharmacist(db, { isLicensed: false }))
      await change(admin, unlicensed, false)
      await change(admin, first, false)
      expect(await getSecondChecks(admin)).toEqual({ pharmacists: 2 })
      await expect(change(admin, second, false)).rejects.toEqual(unconfirmed)
      expect(await getSecondChecks(admin)).toEqual({ pharmacists: 2 })
      expect(await findRoles(db, second)).toEqual(['pharmacist'])
      await change(admin, second, true)
      expect(await getSecondChecks(admin)).toEqual({ pharmacists: 1 })
      // Prescription orders do not ship by now.
      await change(admin, third, false)
      expect(await getSecondChecks(admin)).toEqual({ pharmacists: 0 })
    })

    test(`${name} and another admin's removal of a license at once leave two pharmacists`, async () => {
      const db = await openDb()
      const [ada, ben] = [await asAdminOf(db), await asAdminOf(db)]
      const [one, two] = [await addPharmacist(db), await addPharmacist(db), await addPharmacist(db)]
      await requireChecks(db)
      const { second } = await inTransaction(ada, async (ctx) => {
        await removeLicense(ctx, { userId: idOf(one), isConfirmed: false })
        const waiting = change(ben, idOf(two), false)
        await untilWaiting(db, waiting)
        return { second: Promise.allSettled([waiting]) }
      })
      await second
      expect(await getSecondChecks(ada)).toEqual({ pharmacists: 2 })
    })
  }

  test('the question comes before the change runs', async () => {
    const db = await openDb()
    const admin = await asAdminOf(db)
    const [one] = [await addPharmacist(db), await addPharmacist(db)]
    await requireChecks(db)
    const change = vi.fn<() => Promise<void>>(async () => {})
    const input = { userId: idOf(one), isConfirmed: false, permission: 'customers.manage' } as const
    await expect(keepSecondChecks(admin, input, change)).rejects.toEqual(unconfirmed)
    expect(change).not.toHaveBeenCalled()
    await keepSecondChecks(admin, { ...input, isConfirmed: true }, change)
    expect(change).toHaveBeenCalledTimes(1)
  })

  test('a change of roles that keeps the role of a pharmacist asks nothing', async () => {
    const db = await openDb()
    const admin = await asAdminOf(db)
    const [one] = [await addPharmacist(db), await addPharmacist(db)]
    await requireChecks(db)
    const userId = idOf(one)
    const roles = ['pharmacist', 'support'] as const
    await replaceRolesWithChecks(admin, { userId, before: ['pharmacist'], roles, isConfirmed: false })
    expect(await findRoles(db, userId)).toEqual(roles)
  })

  test('a user without the permission is refused before the question', async () => {
    const db = await openDb()
    const [one, two] = [await addPharmacist(db), await addPharmacist(db)]
    await requireChecks(db)
    for (const change of Object.values(changes)) {
      await expect(change(one, idOf(two), false)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
  })

  test('a suspension that needs a confirmation only by now says how to give it', async () => {
    const db = await openDb()
    const [ada, ben] = [await asAdminOf(db), await asAdminOf(db)]
    const [one, two] = [await addPharmacist(db), await addPharmacist(db), await addPharmacist(db)]
    await requireChecks(db)
    const { results } = await inTransaction(ada, async (ctx) => {
      await removeLicense(ctx, { userId: idOf(one), isConfirmed: false })
      const waiting = changeAccessWithChecks(ben, {
        target: { ids: [idOf(two)] },
        change: 'suspend',
        reason: 'On leave.',
        isConfirmed: false,
      })
      await untilWaiting(db, waiting)
      return { results: Promise.allSettled([waiting]) }
    })
    expect(await results).toMatchObject([
      { status: 'fulfilled', value: [{ id: idOf(two), error: notSuspendedMessage, isChanged: false }] },
    ])
    expect(await getSecondChecks(ada)).toEqual({ pharmacists: 2 })
  })

  test('a shop that needs one pharmacist only is not asked', async () => {
    const db = await openDb()
    const admin = await asAdminOf(db)
    await addPharmacist(db)
    for (const change of Object.values(changes)) await change(admin, idOf(await addPharmacist(db)), false)
    expect(await getSecondChecks(admin)).toBe(null)
  })

  test('a suspension of several accounts asks before it changes any of them', async () => {
    const db = await openDb()
    const admin = await asAdminOf(db)
    const pharmacists = [await addPharmacist(db), await addPharmacist(db), await addPharmacist(db)]
    const customer = await makeUser(db)
    await requireChecks(db)
    const suspend = (ids: string[], isConfirmed: boolean) =>
      changeAccessWithChecks(admin, { target: { ids }, change: 'suspend', reason: 'On leave.', isConfirmed })
    const ids = [customer, ...pharmacists.slice(1).map(idOf)]
    await expect(suspend(ids, false)).rejects.toEqual(unconfirmed)
    const suspended = db.selectFrom('users').select('id').where('suspendedAt', 'is not', null)
    expect(await suspended.execute()).toEqual([])
    expect(await suspend(ids, true)).toMatchObject(ids.map((id) => ({ id, error: null, isChanged: true })))
    expect(await getSecondChecks(admin)).toEqual({ pharmacists: 1 })
    const restored = changeAccessWithChecks(admin, {
      target: { ids },
      change: 'restore',
      reason: 'Back.',
      isConfirmed: false,
    })
    expect(await restored).toMatchObject(ids.map((id) => ({ id, error: null, isChanged: true })))
  })

  test('the second check is not turned on while a license is removed, also the first time', async () => {
    const db = await openDb()
    const [ada, ben] = [await asAdminOf(db), await asAdminOf(db)]
    const [one] = [await addPharmacist(db), await addPharmacist(db)]
    const { turnedOn } = await inTransaction(ada, async (ctx) => {
      await removeLicense(ctx, { userId: idOf(one), isConfirmed: false })
      const waiting = saveSettings(ben, {
        before: { twoPharmacists: false },
        changes: { twoPharmacists: true },
      })
      await untilWaiting(db, waiting)
      return { turnedOn: Promise.allSettled([waiting]) }
    })
    const refused = expect.objectContaining({ code: 'INVALID' })
    expect(await turnedOn).toEqual([{ status: 'rejected', reason: refused }])
    expect(await getSecondChecks(ada)).toBe(null)
  })
})
