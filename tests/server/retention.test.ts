import { retention, type RetentionRule } from '#domain/privacy/retention.ts'
import { deleteAllOldRows } from '#server/jobs/delete-old-rows.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { allColumns } from '#tests/support/all-columns.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const now = new Date('2026-11-20T12:00:00Z')
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 24 * 3600_000)
const rules: readonly RetentionRule[] = Object.values(retention)

eachEngine((_engine, openDb) => {
  test('every table says how long its rows stay, once', async () => {
    const db = await openDb()
    const tables = new Set((await allColumns(db)).map(({ table }) => table))
    const own = [...tables].filter((name) => !/^(sqlite_|schema_migrations|product_documents_fts)/.test(name))
    expect(rules.flatMap((rule) => rule.tables).toSorted()).toEqual(own.toSorted())
  })

  test('old rows go in batches, at the end of their time and not before; unfinished work stays', async () => {
    const db = await openDb()
    const ages = [10, 89, 91, 399, 401, 729, 731, 2189, 2191]
    for (const days of ages) {
      const at = daysAgo(days)
      await sql`insert into payment_events (id, type, received_at, handled_at)
        values (${`evt-${days}`}, 'x', ${at}, ${at}), (${`evt-open-${days}`}, 'x', ${at}, null)`.execute(db)
      await sql`insert into contact_messages (id, submission_hash, sealed_name, sealed_email, sealed_message, created_at)
        values (${`contact-${days}`}, ${`h${days}`}, 'x', 'x', 'x', ${at})`.execute(db)
      await sql`insert into outbox (id, sealed_mail, attempts, due_at, created_at, sent_at, failed_at)
        values (${`sent-${days}`}, null, 1, ${at}, ${at}, ${at}, null),
          (${`failed-${days}`}, 'x', 60, ${at}, ${at}, null, ${at}),
          (${`waits-${days}`}, 'x', 0, ${at}, ${at}, null, null)`.execute(db)
    }
    const createdBy = await makeUser(db, { isAdmin: true })
    const addKey = async (name: string, expiresAt: Date, revokedAt: Date | null): Promise<void> => {
      const own = { id: `key-${name}`, name, prefix: name, keyHash: name, permissions: '[]', createdBy }
      await db
        .insertInto('apiKeys')
        .values({ ...own, expiresAt, revokedAt, createdAt: daysAgo(800), lastUsedAt: null })
        .execute()
    }
    for (const days of [89, 91]) {
      await addKey(`expired-${days}`, daysAgo(days), null)
      await addKey(`revoked-${days}`, daysAgo(-10), daysAgo(days))
      await addKey(`revoked-late-${days}`, daysAgo(days), daysAgo(10))
    }
    await addKey('active', daysAgo(-10), null)
    // More than a batch.
    for (let i = 0; i < 501; i++)
      await sql`insert into payment_events (id, type, received_at, handled_at)
        values (${`many-${i}`}, 'x', ${daysAgo(500)}, ${daysAgo(500)})`.execute(db)
    const run = () => deleteAllOldRows({ db, now: () => now }, new AbortController().signal)
    await Promise.all([run(), run()])

    const ids = async (table: 'apiKeys' | 'paymentEvents' | 'contactMessages' | 'outbox') =>
      new Set((await db.selectFrom(table).select('id').execute()).map(({ id }) => id))
    const named = (name: string, limit: number) =>
      ages.filter((days) => days < limit).map((days) => `${name}-${days}`)
    expect(await ids('paymentEvents')).toEqual(new Set([...named('evt', 400), ...named('evt-open', 9999)]))
    expect(await ids('contactMessages')).toEqual(new Set(named('contact', 730)))
    expect(await ids('outbox')).toEqual(
      new Set([...named('sent', 2190), ...named('failed', 2190), ...named('waits', 9999)]),
    )
    expect(await ids('apiKeys')).toEqual(
      new Set(['key-expired-89', 'key-revoked-89', 'key-revoked-late-89', 'key-active']),
    )
    const withText = await db.selectFrom('outbox').select('id').where('sealedMail', 'is not', null).execute()
    expect(new Set(withText.map(({ id }) => id))).toEqual(
      new Set([...named('failed', 90), ...named('waits', 9999)]),
    )
  })
})
