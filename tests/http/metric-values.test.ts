import type { Db } from '#db/engine/client.ts'
import { saveRuns } from '#db/monitoring/runs.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { cards, customer, fill, harbour, outcomeOf, place } from '#tests/support/checkout-page.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { expect, onTestFinished, test } from 'vitest'

const token = 'a-token-of-more-than-thirty-two-characters'
const env = { METRICS_TOKEN: token }

const scrape = async ({ visit }: Shop): Promise<string> =>
  (await visit().get('/metrics', { authorization: `Bearer ${token}` })).text()

/** The values of a metric, by its labels as the shop writes them. */
const valuesOf = (text: string, name: string): Record<string, number> =>
  Object.fromEntries(
    [...text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))].map(
      ([, labels = '', value]): [string, number] => [labels, Number(value)],
    ),
  )
const connectionsOf = (text: string): Record<string, number> =>
  valuesOf(text, 'meridian_database_connections')

eachShop((openShop) => {
  test('an order counts once, a declined card not at all, and neither with the person or the product', async () => {
    const shop = await openShop({ catalog: 'empty', env })
    const variantId = await addVariant(shop.db, { brandName: 'Quillfever' })
    const buyer = await customer(shop, { email: 'quillfeather@customer.example', lastName: 'Quillfeather' })
    await fill(buyer, [variantId, 2])
    const eventsOf = (text: string) =>
      ['orders_placed', 'payments_captured', 'fills_recorded', 'payments_voided'].map((event) =>
        valuesOf(text, `meridian_${event}_total`),
      )
    await place(buyer, { cardNumber: cards.declined })
    expect(eventsOf(await scrape(shop))).toEqual([{ '': 0 }, { '': 0 }, { '': 0 }, { '': 0 }])
    expect(outcomeOf(await place(buyer))).toBe('303 /order-history')
    const text = await scrape(shop)
    // An over-the-counter medicine is captured at once and is no fill.
    expect(eventsOf(text)).toEqual([{ '': 1 }, { '': 1 }, { '': 0 }, { '': 0 }])
    expect(valuesOf(text, 'http_request_duration_seconds_count')).toMatchObject({
      'route="/checkout",method="POST",status="3xx"': 1,
    })
    const { id: orderId } = await shop.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
    // Without the values: the digits of a measured time may contain any four by chance.
    const namesAndLabels = text.replaceAll(/ \S+$/gm, '').toLowerCase()
    expect(namesAndLabels).toContain('meridian_orders_placed_total')
    for (const secret of [buyer.id, orderId, variantId, 'Quill', harbour.streetAddress, harbour.city, '4242'])
      expect(namesAndLabels).not.toContain(secret.toLowerCase())
  })

  test('a refused request counts by its status, and overload by its class', async () => {
    const shop = await openShop({
      catalog: 'empty',
      env,
      admission: { admits: (requestClass) => requestClass !== 'browsing', pressure: () => 0.75 },
    })
    const { get } = shop.visit()
    for (const path of ['/products', '/api/products']) expect((await get(path)).status).toBe(503)
    expect((await get('/api/orders')).status).toBe(401)
    const text = await scrape(shop)
    expect(valuesOf(text, 'meridian_refusals_total')).toEqual({ 'code="503"': 2, 'code="401"': 1 })
    expect(valuesOf(text, 'meridian_shed_total')).toEqual({ 'class="browsing"': 2 })
    expect(valuesOf(text, 'meridian_overload_pressure')).toEqual({ '': 0.75 })
  })

  test('runs and lists have the seconds of their times, and a failure that is newer than the success', async () => {
    const shop = await openShop({ catalog: 'empty', env })
    const [early, late] = [new Date('2026-07-01T10:00:00Z'), new Date('2026-07-02T10:00:00Z')]
    const run = { failure: null, summary: null, durationMs: 5 }
    await saveRuns(shop.db, [
      { ...run, kind: 'backup', name: 'backup', succeededAt: late, failedAt: early },
      { ...run, kind: 'verify', name: 'stock', succeededAt: early, failedAt: late, failure: 'FINDINGS' },
      { ...run, kind: 'job', name: 'outbox', succeededAt: null, failedAt: early, failure: 'ECONNREFUSED' },
    ])
    const list = { title: 'A list', source: 'test', license: 'test', rowCount: 1, importedAt: late }
    await shop.db
      .insertInto('careLists')
      .values([
        { ...list, name: 'recalls', sha256: '1', listDate: '2026-06-30' },
        { ...list, name: 'shortages', sha256: '2', listDate: null },
      ])
      .execute()
    const text = await scrape(shop)
    const seconds = (date: string): number => Date.parse(date) / 1000
    expect(valuesOf(text, 'meridian_run_success_timestamp_seconds')).toEqual({
      'kind="backup",run="backup"': seconds('2026-07-02T10:00:00Z'),
      'kind="verify",run="stock"': seconds('2026-07-01T10:00:00Z'),
    })
    expect(valuesOf(text, 'meridian_run_failing')).toEqual({
      'kind="backup",run="backup"': 0,
      'kind="verify",run="stock"': 1,
      'kind="job",run="outbox"': 1,
    })
    // A list without a date has the day of its import.
    expect(valuesOf(text, 'meridian_list_timestamp_seconds')).toEqual({
      'list="recalls"': seconds('2026-06-30T00:00:00Z'),
      'list="shortages"': seconds('2026-07-02T10:00:00Z'),
    })
  })
})

eachShop(
  (openShop) => {
    test('a reading does not count its own statements as work that waits for a connection', async () => {
      const shop = await openShop({ catalog: 'empty', env })
      const resting = { 'pool="requests",state="busy"': 0, 'pool="requests",state="waiting"': 0 }
      const first = connectionsOf(await scrape(shop))
      expect(first).toEqual({ ...resting, 'pool="requests",state="idle"': 0 })
      expect(connectionsOf(await scrape(shop))).toMatchObject(resting)
    })

    test('while work holds all connections, the reading shows who waits and that the database is down', async () => {
      const databases: Db[] = []
      const shop = await openShop({
        catalog: 'empty',
        env,
        wrap: (db) => {
          databases.push(db)
          return db
        },
      })
      const [db = expect.unreachable()] = databases
      let end = (): void => {}
      const ended = new Promise<void>((resolve) => (end = resolve))
      const holding = Array.from({ length: 12 }, () => db.connection().execute(() => ended))
      // Those that wait give up after five seconds.
      const settled = Promise.allSettled(holding)
      onTestFinished(async () => {
        end()
        await settled
      })
      const text = await scrape(shop)
      expect(connectionsOf(text)).toEqual({
        'pool="requests",state="idle"': 0,
        'pool="requests",state="busy"': 10,
        'pool="requests",state="waiting"': 2,
      })
      expect(valuesOf(text, 'meridian_database_up')).toEqual({ '': 0 })
      expect(text).toContain('meridian_orders_placed_total 0')
    })
  },
  ['postgres'],
)
