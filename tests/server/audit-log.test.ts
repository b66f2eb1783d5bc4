import { insertAudits } from '#db/audit/audit.ts'
import type { Db } from '#db/engine/client.ts'
import { auditQuerySchema, type AuditQuery } from '#domain/audit/audit-query.ts'
import { shopSubjectId, unknownAddressSubject } from '#domain/audit/audit.ts'
import { increasingIdsOfTime, newId } from '#domain/ids.ts'
import { deleteUser } from '#db/accounts/users.ts'
import { listAuditLog, listStaff, type AuditEntry } from '#server/accounts/list-audit-log.ts'
import { openPatientRecord } from '#server/accounts/record-access.ts'
import type { Context } from '#server/context.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { onePerMinute } from '#tests/support/audit-rows.ts'
import { expect, test } from 'vitest'

const now = new Date('2026-03-31T12:00:00Z')

const asAdmin = async (db: Db): Promise<Context> =>
  testContext(db, { now, user: signedIn(await makeUser(db, { isAdmin: true }), { isAdmin: true }) })

const query = (filters: Record<string, string> = {}): AuditQuery =>
  auditQuerySchema('2026-03-31').parse(filters)

const described = (entries: readonly AuditEntry[]): string[] => entries.map(({ description }) => description)

eachEngine((_, openDb) => {
  test('a review finds what one member of the staff did to the data of others', async () => {
    const db = await openDb()
    const admin = await asAdmin(db)
    const nurse = await makeUser(db, { firstName: 'Ida', lastName: 'Holm', roles: ['pharmacist'] })
    const [patient, other] = [await makeUser(db), await makeUser(db)]
    await insertAudits(
      db,
      onePerMinute(now, [
        { actorId: nurse, subjectId: patient, action: 'prescription.read' },
        { actorId: nurse, subjectId: nurse, action: 'profile.updated' },
        { actorId: patient, subjectId: patient, action: 'order.placed' },
        { actorId: nurse, subjectId: shopSubjectId, action: 'stock.adjusted' },
        { actorId: nurse, subjectId: other, action: 'profile.read' },
      ]),
    )
    const { entries } = await listAuditLog(admin, query({ who: nurse }))
    expect(entries.map(({ description, about, who }) => [description, about, who])).toEqual([
      ['viewed the profile', other, { kind: 'staff', id: nurse, name: 'Ida Holm' }],
      ['changed the stock of a variant', shopSubjectId, { kind: 'staff', id: nurse, name: 'Ida Holm' }],
      ['viewed a prescription', patient, { kind: 'staff', id: nurse, name: 'Ida Holm' }],
    ])
    const views = await listAuditLog(admin, query({ who: nurse, action: 'views' }))
    expect(described(views.entries)).toEqual(['viewed the profile', 'viewed a prescription'])
    const both = await listAuditLog(admin, query({ who: nurse, about: nurse }))
    expect(described(both.entries)).toEqual(['changed the profile'])
  })

  test('the log of one account says who did what to it, and why', async () => {
    const db = await openDb()
    const admin = await asAdmin(db)
    const patient = await makeUser(db, { firstName: 'Bo', lastName: 'Berg' })
    const pharmacistId = await makeUser(db, { firstName: 'Ida', lastName: 'Holm', roles: ['pharmacist'] })
    const pharmacist = testContext(db, { now, user: signedIn(pharmacistId, { roles: ['pharmacist'] }) })
    await openPatientRecord(pharmacist, { patientId: patient, reason: 'Called about a side effect' })
    const { accountName, entries, from } = await listAuditLog(
      admin,
      query({ about: patient, action: 'record.opened' }),
    )
    expect([accountName, from]).toEqual(['Bo Berg', null])
    expect(entries.map(({ who, reason }) => [who, reason])).toEqual([
      [{ kind: 'staff', id: pharmacistId, name: 'Ida Holm' }, 'Called about a side effect'],
    ])
    const ofAll = await listAuditLog(admin, query({ action: 'record.opened' }))
    expect(ofAll.entries.map(({ about, reason }) => [about, reason])).toEqual([[patient, null]])
  })

  test('the list names staff and no customers', async () => {
    const db = await openDb()
    const admin = await asAdmin(db)
    const [patient, other, former] = [await makeUser(db), await makeUser(db), await makeUser(db)]
    await deleteUser(db, former)
    await insertAudits(
      db,
      onePerMinute(now, [
        { actorId: patient, subjectId: patient, action: 'order.placed' },
        { actorId: other, subjectId: patient, action: 'access.refused' },
        { actorId: former, subjectId: patient, action: 'profile.read' },
        { actorId: null, subjectId: patient, action: 'payment.captured' },
        { actorId: null, subjectId: patient, action: 'access.emergency' },
        { actorId: null, subjectId: unknownAddressSubject('x'), action: 'sign-in.password-refused' },
      ]),
    )
    const { entries } = await listAuditLog(admin, query({ to: '2026-03-31' }))
    expect(entries.map(({ who, about }) => [who, about])).toEqual([
      [{ kind: 'unknown' }, null],
      [{ kind: 'unknown' }, patient],
      [{ kind: 'shop' }, patient],
      [{ kind: 'staff', id: former, name: 'a former staff member' }, patient],
      [{ kind: 'customer', id: other }, patient],
      [{ kind: 'self' }, patient],
    ])
  })

  test('each look is one row, about the account that the filter names', async () => {
    const db = await openDb()
    const admin = await asAdmin(db)
    const patient = await makeUser(db)
    await listAuditLog(admin, query({ about: patient }))
    await listAuditLog(admin, query({ who: patient }))
    const looks = await db
      .selectFrom('auditLog')
      .select(['actorId', 'subjectId', 'objectId'])
      .where('action', '=', 'audit.read')
      .orderBy('id')
      .execute()
    const actorId = admin.user?.id
    expect(looks).toEqual([
      { actorId, subjectId: patient, objectId: null },
      { actorId, subjectId: shopSubjectId, objectId: patient },
    ])
  })

  test('pages follow each other without a gap, and days are included whole', async () => {
    const db = await openDb()
    const admin = await asAdmin(db)
    const idsOn = increasingIdsOfTime(Date.parse('2026-03-10T23:59:59.999Z'))
    const rowOf = (id: string, at: string) => ({
      id,
      at: new Date(at),
      actorId: null,
      subjectId: shopSubjectId,
      action: 'list.imported' as const,
      objectId: null,
      requestId: 'r',
    })
    const ids = Array.from({ length: 120 }, idsOn)
    const next = increasingIdsOfTime(Date.parse('2026-03-11T00:00:00Z'))()
    await insertAudits(db, [
      ...ids.map((id) => rowOf(id, '2026-03-10T23:59:59.999Z')),
      rowOf(next, '2026-03-11T00:00:00Z'),
    ])
    const day = { from: '2026-03-10', to: '2026-03-10', action: 'list.imported' }
    const first = await listAuditLog(admin, query(day))
    const second = await listAuditLog(admin, query({ ...day, before: first.next ?? '' }))
    const third = await listAuditLog(admin, query({ ...day, before: second.next ?? '' }))
    const found = [first, second, third].flatMap(({ entries }) => entries.map(({ id }) => id))
    expect(found).toEqual(ids.toReversed())
    expect([first.entries.length, second.entries.length, third.next]).toEqual([50, 50, null])
    const after = await listAuditLog(admin, query({ from: '2026-03-11', action: 'list.imported' }))
    expect(after.entries.map(({ id }) => id)).toEqual([next])
    // A page that starts after the last day.
    const late = await listAuditLog(admin, query({ ...day, before: newId() }))
    expect(late.entries[0]?.id).toBe(ids.at(-1))
  })

  test('without days, the log of everyone starts 30 days ago', async () => {
    const db = await openDb()
    const admin = await asAdmin(db)
    expect((await listAuditLog(admin, query())).from).toBe('2026-03-02')
    expect((await listAuditLog(admin, query({ to: '2026-03-20' }))).from).toBe('2026-02-19')
  })

  test('the staff of today are listed by name', async () => {
    const db = await openDb()
    const admin = await asAdmin(db)
    await makeUser(db)
    const ida = await makeUser(db, { firstName: 'Ida', lastName: 'Holm', roles: ['support'] })
    expect(await listStaff(admin)).toEqual([
      { id: ida, name: 'Ida Holm' },
      { id: admin.user?.id, name: 'Zoë O’Hara' },
    ])
  })

  test('only admins read it', async () => {
    const db = await openDb()
    const roles = ['pharmacist', 'fulfillment', 'support', 'catalog-manager'] as const
    const staff = testContext(db, { user: signedIn(await makeUser(db, { roles: [...roles] }), { roles }) })
    await expect(listAuditLog(staff, query())).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(listStaff(staff)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(listAuditLog(testContext(db), query())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })
})
