import { insertAudits } from '#db/audit/audit.ts'
import { listAuditLogRows } from '#db/audit/audit-log.ts'
import { listStaffRows } from '#db/accounts/users.ts'
import { beforeIdsOf } from '#domain/ids.ts'
import { onePerMinute } from '#tests/support/audit-rows.ts'
import { onEngine } from '#tests/support/engines.ts'
import { explainPostgres, mostRows } from '#tests/support/explain.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const now = new Date('2026-03-31T12:00:00Z')
const all = { actorId: null, subjectId: null, actions: null, from: '', before: '~', limit: 51 }

onEngine('postgres', (openDb) => {
  test('no filter of the audit log reads the whole table', async () => {
    const db = await openDb()
    const customers = Array.from({ length: 200 }, (_, at) => `customer-${at}`)
    await insertAudits(
      db,
      onePerMinute(
        now,
        Array.from({ length: 20_000 }, (_, at) => ({
          actorId: at % 1000 === 0 ? 'pharmacist' : (customers[at % 200] ?? ''),
          subjectId: customers[at % 200] ?? '',
          action: 'order.read' as const,
        })),
      ),
    )
    await sql`analyze audit_log`.execute(db)
    const plans = await explainPostgres(db, async (explained) => {
      await listAuditLogRows(explained, all)
      await listAuditLogRows(explained, { ...all, actorId: 'pharmacist' })
      await listAuditLogRows(explained, { ...all, subjectId: 'customer-7' })
      const from = beforeIdsOf(now.getTime() - 60 * 60_000)
      await listAuditLogRows(explained, { ...all, from, actions: ['role.changed'] })
    })
    expect(plans.map((plan) => mostRows(plan) <= 100)).toEqual([true, true, true, true])
    expect(plans[1]).toContain('audit_log_by_actor')
  })

  test('the staff are found without reading all users', async () => {
    const db = await openDb()
    await sql`insert into users (id, email_hash, sealed_email, sealed_name, sealed_profile, created_at, updated_at)
      select 'u' || n, 'h' || n, '', '', '', now(), now() from generate_series(1, 5000) n`.execute(db)
    await sql`analyze users`.execute(db)
    const [plan = ''] = await explainPostgres(db, listStaffRows)
    expect(plan).toContain('users_with_roles')
  })
})
