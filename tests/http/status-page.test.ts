import { saveRuns, type RunRow } from '#db/monitoring/runs.ts'
import { careListNames } from '#domain/screening/care-lists.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { outcomeOf } from '#tests/support/checkout-page.ts'
import { mainOf, readMain } from '#tests/support/page-text.ts'
import { eachShop, type Shop, type ShopOptions, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'
import type { NewUser } from '#server/accounts/create-user.ts'

const now = new Date('2026-07-20T12:00:00Z')
const minute = 60_000
const day = 24 * 60 * minute
const ago = (ms: number): Date => new Date(now.getTime() - ms)

const signedIn = async (shop: Shop, roles: NewUser['roles']): Promise<Visitor> => {
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, await makeUser(shop.db, { roles }), now)
  return visitor
}
const readStatus = async (shop: Shop): Promise<string> =>
  (await (await signedIn(shop, ['admin'])).get('/admin/status')).text()

const textOf = (html: string): string => readMain(`<main>${html}</main>`)

/** The rows of a table, as the texts of their cells. */
const rowsOf = (html: string, label: string): string[][] => {
  const [, table = ''] = mainOf(html).split(`<table aria-label="${label}">`)
  const [, body = ''] = /<tbody>([\s\S]*?)<\/tbody>/.exec(table) ?? []
  return body
    .split('</tr>')
    .slice(0, -1)
    .map((row) => [...row.matchAll(/<td\b[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => textOf(cell)))
}

/** What the page says about each name of its lists of facts. */
const factsOf = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...mainOf(html).matchAll(/<dt\b[^>]*>([\s\S]*?)<\/dt><dd>([\s\S]*?)<\/dd>/g)].map(
      ([, name = '', fact = '']) => [textOf(name), textOf(fact)],
    ),
  )

const run = (row: Pick<RunRow, 'kind' | 'name'> & Partial<RunRow>): RunRow => ({
  succeededAt: null,
  failedAt: null,
  failure: null,
  summary: null,
  durationMs: 12,
  ...row,
})

eachShop((openShopOf, engine) => {
  const openShop = (options: ShopOptions = {}) => openShopOf({ catalog: 'empty', now: () => now, ...options })

  test('the status of a new shop says what never ran and that nothing waits', async () => {
    const html = await readStatus(await openShop())
    expect(readMain(html)).toContain('As of Jul 20, 2026, 12:00 UTC.')
    expect(readMain(html)).toContain('No job has reported yet.')
    expect(factsOf(html)).toMatchObject({
      'Last backup': 'No backup recorded',
      'Audit log': 'Never verified Run npm run audit:verify .',
      Stock: 'Never verified Run npm run stock:verify .',
      Fills: 'Never verified Run npm run fills:verify .',
      'Restore drill': 'Never verified Run npm run backup:drill .',
      'Screening lists': 'None imported',
    })
    const queues = rowsOf(html, 'Queues')
    expect(queues).toHaveLength(14)
    // The row of the new accounts in the audit log is not chained yet.
    for (const [name, ...cells] of queues.filter(([queue]) => queue !== 'Audit chain'))
      expect(cells, name).toEqual(['0', '–', '–', '0'])
  })

  test('queues have their counts and ages, with what was given up', async () => {
    const shop = await openShop()
    const mail = { sealedMail: 'x', createdAt: ago(3 * day), attempts: 0, dueAt: ago(5 * minute) }
    await shop.db
      .insertInto('outbox')
      .values([
        ...Array.from({ length: 1200 }, (_, at) => ({ ...mail, id: `due ${at}` })),
        { ...mail, id: 'oldest', dueAt: ago(90 * minute) },
        { ...mail, id: 'retried', attempts: 2, dueAt: ago(-minute) },
        { ...mail, id: 'given up', attempts: 60, failedAt: ago(day) },
      ])
      .execute()
    const queues = rowsOf(await readStatus(shop), 'Queues')
    expect(queues).toContainEqual(['Outbox', '1,201', '1 hour ago', '3 days ago', '1'])
    expect(queues).toContainEqual(['Refunds', '0', '–', '–', '0'])
    const names = queues.map(([name = '']) => name)
    expect(names).toEqual(names.toSorted())
  })

  test('jobs have their last success and error, and those that fail come first', async () => {
    const shop = await openShop()
    await saveRuns(shop.db, [
      run({ kind: 'job', name: 'audit chain', succeededAt: ago(1000) }),
      run({
        kind: 'job',
        name: 'outbox',
        succeededAt: ago(3 * 60 * minute),
        failedAt: ago(2 * minute),
        failure: 'ECONNREFUSED',
        durationMs: 4100,
      }),
      run({
        kind: 'job',
        name: 'refunds',
        succeededAt: ago(minute),
        failedAt: ago(2 * day),
        failure: 'UNAVAILABLE',
      }),
      run({ kind: 'job', name: 'webhooks', failedAt: ago(0), failure: 'SQLITE_FULL', durationMs: null }),
    ])
    expect(rowsOf(await readStatus(shop), 'Jobs')).toEqual([
      ['Outbox', 'Failing', '3 hours ago', 'ECONNREFUSED, 2 minutes ago', '4100 ms'],
      ['Webhooks', 'Failing', 'Never', 'SQLITE_FULL, 0 seconds ago', '–'],
      ['Audit chain', 'OK', '1 second ago', '–', '12 ms'],
      ['Refunds', 'OK', '1 minute ago', 'UNAVAILABLE, 2 days ago', '12 ms'],
    ])
  })

  test('backups, verifications and screening lists have their age and result', async () => {
    const shop = await openShop()
    const backup = run({ kind: 'backup', name: 'backup', failedAt: ago(9 * 60 * minute), failure: 'ENOSPC' })
    await saveRuns(shop.db, [
      { ...backup, succeededAt: ago(33 * 60 * minute) },
      run({ kind: 'backup', name: 'base-backup', succeededAt: ago(10 * 60 * minute) }),
      run({ kind: 'verify', name: 'stock', succeededAt: ago(6 * day), summary: 'findings=0' }),
      run({
        kind: 'verify',
        name: 'fills',
        succeededAt: ago(8 * day),
        failedAt: ago(day),
        failure: 'FINDINGS',
        summary: 'findings=3',
      }),
      // An error stopped it, so the result of the run before is not its own.
      run({ kind: 'verify', name: 'restore', succeededAt: ago(7 * day), summary: 'findings=0' }),
      run({
        kind: 'verify',
        name: 'audit',
        failedAt: ago(minute),
        failure: 'FINDINGS',
        summary: 'findings=1',
      }),
    ])
    await saveRuns(shop.db, [run({ kind: 'verify', name: 'restore', failedAt: ago(0), failure: 'EACCES' })])
    const list = { title: 'A list', source: 'test', license: 'test', rowCount: 1, importedAt: ago(day) }
    await shop.db
      .insertInto('careLists')
      .values([
        { ...list, name: 'recalls', sha256: '1', listDate: '2026-07-19' },
        { ...list, name: 'shortages', sha256: '2', listDate: '2021-07-20' },
        // Its publisher has stopped it, so its age is no task.
        { ...list, name: 'interactions-ndfrt', sha256: '3', listDate: '2014-07-07' },
      ])
      .execute()
    const facts = factsOf(await readStatus(shop))
    expect(facts).toMatchObject({
      'Last backup': 'Failed 9 hours ago, ENOSPC, last success 1 day ago',
      'Last base backup': 'OK 10 hours ago',
      'Audit log': 'Failed 1 minute ago, findings: 1, no success yet',
      Stock: 'OK 6 days ago, findings: 0',
      Fills: 'Failed 1 day ago, findings: 3, last success 8 days ago',
      'Restore drill': 'Failed 0 seconds ago, EACCES, last success 7 days ago',
      'Screening lists': `3 imported, the oldest 4,396 days old 1 outdated ${careListNames.length - 3} missing`,
      Node: process.versions.node,
    })
    expect(facts['Database']).toMatch(
      { sqlite: /^SQLite, migrated to \d{4}-/, postgres: /^Postgres, migrated to \d{4}-/ }[engine],
    )
  })

  test('only staff who may change the settings read the status', async () => {
    const shop = await openShop()
    const visitors = [shop.visit(), await signedIn(shop, []), await signedIn(shop, ['support'])]
    const replies = await Promise.all(visitors.map((visitor) => visitor.get('/admin/status')))
    expect(replies.map(outcomeOf)).toEqual(['302 /', '302 /', '403'])
    for (const reply of replies) expect(await reply.text()).not.toContain('Backups and checks')
  })
})
