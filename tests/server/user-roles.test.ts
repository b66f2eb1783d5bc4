import { withAdmin } from '#domain/accounts/permissions.ts'
import type { Db } from '#db/engine/client.ts'
import { deleteUser } from '#server/privacy/delete-user.ts'
import { updateUser, getUser } from '#server/accounts/update-user.ts'
import { replaceRoles, setRoles } from '#server/accounts/set-roles.ts'
import type { Context } from '#server/context.ts'
import { setAdmins } from '#server/accounts/set-admins.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const as = (db: Db, id: string, isAdmin = true) => testContext(db, { user: signedIn(id, { isAdmin }) })
const setAdmin = (ctx: Context, { userId, isAdmin }: { userId: string; isAdmin: boolean }) =>
  setRoles(ctx, { userId, edit: withAdmin(isAdmin) })
const adminsOf = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('users').select('id').where('roles', '=', 'admin').execute()).map(({ id }) => id)

eachEngine((_engine, openDb) => {
  test('admins demoting or deleting each other at once leave at least one', async () => {
    const db = await openDb()
    for (let round = 0; round < 10; round++) {
      const ids = [0, 1, 2].map(() => makeUser(db, { isAdmin: true }))
      const admins = await Promise.all(ids)
      const [a = '', b = '', c = ''] = admins
      const outcomes = await Promise.allSettled([
        setAdmin(as(db, a), { userId: b, isAdmin: false }),
        updateUser(as(db, b), c, { isAdmin: false }),
        round % 2
          ? deleteUser(as(db, c), a).then(() => true)
          : setAdmin(as(db, c), { userId: a, isAdmin: false }),
      ])
      const left = await adminsOf(db)
      expect(left.length).toBeGreaterThan(0)
      // An admin who lost the role first has changed nothing.
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3 - left.length)
      await db.updateTable('users').set({ roles: '' }).execute()
    }
  })

  test('a stale profile edit is refused with the current profile', async () => {
    const db = await openDb()
    const [admin, id] = [await makeUser(db, { isAdmin: true }), await makeUser(db)]
    const { version } = await getUser(as(db, admin), id)
    const saved = await updateUser(as(db, admin), id, { version, firstName: 'Ada' })
    expect(saved.person.firstName).toBe('Ada')
    expect(saved.version).toBeGreaterThan(version)
    await expect(updateUser(as(db, admin), id, { version, firstName: 'Eve' })).rejects.toMatchObject({
      code: 'CONFLICT',
      current: { person: { firstName: 'Ada' }, version: saved.version },
    })
    expect((await getUser(as(db, admin), id)).person.firstName).toBe('Ada')
  })

  test('only admins can change roles, and only of existing users', async () => {
    const db = await openDb()
    const [admin, id] = [await makeUser(db, { isAdmin: true }), await makeUser(db)]
    const input = { userId: id, isAdmin: true }
    await expect(setAdmin(testContext(db), input)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    await expect(setAdmin(as(db, id, false), input)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    // An admin whose role was removed after their session was read.
    await expect(setAdmin(as(db, id), { userId: admin, isAdmin: false })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await expect(
      setAdmin(as(db, admin), { userId: '0190a6f2-1b2c-7d3e-8f4a-5b6c7d8e9f0a', isAdmin: true }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'User not found' })
    expect(await setAdmin(as(db, admin), input)).toBe(true)
    expect(await setAdmin(as(db, admin), input)).toBe(false)
    expect((await adminsOf(db)).toSorted()).toEqual([admin, id].toSorted())
  })

  test('a bulk role change reports each result, survives one failure and audits each read', async () => {
    const db = await openDb()
    const admin = await makeUser(db, { isAdmin: true })
    const ids = [await makeUser(db), await makeUser(db), await makeUser(db)]
    const [first = '', second = '', third = ''] = ids
    // The database refuses the second of them.
    await sql`create unique index one_new on audit_log (subject_id, action) where subject_id = ${sql.lit(second)} and action = 'role.changed'`.execute(
      db,
    )
    const change = (isAdmin: boolean) => setAdmins(as(db, admin), { target: { ids }, isAdmin })
    const done = (id: string, isChanged = true) =>
      expect.objectContaining({ id, isChanged, error: null }) as unknown
    expect(await change(true)).toEqual(ids.map((id) => done(id)))
    expect(await change(false)).toEqual([
      done(first),
      expect.objectContaining({
        id: second,
        isChanged: false,
        error: 'Something went wrong on our end.',
      }) as unknown,
      done(third),
    ])
    expect((await adminsOf(db)).toSorted()).toEqual([admin, second].toSorted())
    const listed = await db
      .selectFrom('auditLog')
      .select('subjectId')
      .where('actorId', '=', admin)
      .where('action', '=', 'account.listed')
      .execute()
    expect(listed.map(({ subjectId }) => subjectId).toSorted()).toEqual([...ids, ...ids].toSorted())
  })

  test('roles that someone else changed in the meantime are not overwritten', async () => {
    const db = await openDb()
    const [admin, userId] = [await makeUser(db, { isAdmin: true }), await makeUser(db)]
    const ctx = as(db, admin)
    await replaceRoles(ctx, { userId, before: [], roles: ['support', 'pharmacist'] })
    const before = ['pharmacist', 'support'] as const
    await replaceRoles(ctx, { userId, before, roles: ['support'] })
    const stale = replaceRoles(ctx, { userId, before, roles: [...before, 'catalog-manager'] })
    await expect(stale).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('account’s roles to Support'),
      current: { roles: ['support'] },
    })
    const { roles } = await db
      .selectFrom('users')
      .select('roles')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(roles).toBe('support')
  })
})
