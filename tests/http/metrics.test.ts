import { explainRefusal, mayReadMetrics } from '#app/http/metrics-reply.server.ts'
import { createRoutePatterns } from '#app/http/route-patterns.ts'
import { recordRun } from '#server/monitoring/record-runs.ts'
import { routePaths } from '#tests/support/route-paths.ts'
import { eachShop } from '#tests/support/shop.ts'
import { sql } from 'kysely'
import { readFileSync } from 'node:fs'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { matchRoutes } from 'react-router'
import { expect, test } from 'vitest'

const token = 'a-token-of-more-than-thirty-two-characters'
const scrape = { authorization: `Bearer ${token}` }

test('a path is counted under the route that React Router would choose', () => {
  const routes = Object.fromEntries(
    routePaths.map((path) => [path, { path: path.slice(1), index: path === '/' }]),
  )
  const patternOf = createRoutePatterns(routes)
  const table = routePaths.map((path) => ({ path }))
  const paths = routePaths.map((path) => path.replaceAll(/:\w+/g, '019a').replace('*', 'no/such/page'))
  for (const path of [
    ...paths,
    '/products/new',
    '/admin/no-such',
    '/img/v',
    '/api/orders/user',
    '/orders/a/b/c',
    '//products',
    '//healthz',
    '/orders//a',
  ]) {
    const chosen = matchRoutes(table, path)?.at(-1)?.route.path ?? '/*'
    expect(patternOf(path), path).toBe(chosen)
  }
  expect(patternOf('/products/019a.data')).toBe('/products/:id')
  expect(patternOf('/_root.data')).toBe('/')
  expect(patternOf('/assets/root-abc.js')).toBe('static')
  expect(patternOf('/assets/no/such/file.js')).toBe('/*')
  expect(patternOf('/favicon.php')).toBe('/*')
})

test('without a token, only this machine reads the metrics, and never through a proxy', () => {
  const may = (
    headers: Record<string, string>,
    { address = '127.0.0.1', hops = 0, origin = 'http://localhost:3000' } = {},
  ) =>
    mayReadMetrics(
      new Request('http://localhost:3000/metrics', { headers: { host: 'localhost:3000', ...headers } }),
      { metricsToken: null, publicOrigin: origin, trustedProxyHops: hops },
      address,
    )
  expect(may({})).toBe(true)
  expect(may({}, { address: '::ffff:127.0.0.1' })).toBe(true)
  expect(may({}, { origin: 'https://shop.example', hops: 1 })).toBe(true)
  // Its proxy is unknown, so a request of any visitor looks like one of this machine.
  expect(may({}, { origin: 'https://shop.example' })).toBe(false)
  expect(may({}, { address: '192.0.2.1' })).toBe(false)
  expect(may({ 'x-forwarded-for': '192.0.2.1' }, { hops: 1 })).toBe(false)
  expect(may({ host: 'shop.example' })).toBe(false)
})

test('only this machine reads what its scrape is missing', () => {
  const explain = (
    headers: Record<string, string>,
    { address = '127.0.0.1', metricsToken = token }: { address?: string; metricsToken?: string | null } = {},
  ) =>
    explainRefusal(
      new Request('http://127.0.0.1:3001/metrics', { headers: { host: '127.0.0.1:3001', ...headers } }),
      { metricsToken, publicOrigin: 'https://shop.example', trustedProxyHops: 0 },
      address,
    )
  const header = 'The metrics need the header "Authorization: Bearer METRICS_TOKEN"'
  expect(explain({})).toBe(`${header}.`)
  expect(explain({ authorization: `Bearer ${token}x` })).toBe(`${header}, but this token doesn’t match.`)
  expect(explain({}, { metricsToken: null })).toContain('METRICS_TOKEN or TRUSTED_PROXY_HOPS')
  expect(explain({}, { address: '192.0.2.1' })).toBeNull()
  expect(explain({ 'x-forwarded-for': '192.0.2.1' })).toBeNull()
  expect(explain({ host: 'shop.example' })).toBeNull()
})

/** The labels of each metric that has a series with labels. */
function labelsByMetric(text: string): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>()
  for (const [, name = '', pairs = ''] of text.matchAll(/^(\w+)\{(.+)\} /gm)) {
    const own = labels.get(name) ?? new Set()
    for (const [, label = ''] of pairs.matchAll(/(\w+)="/g)) own.add(label)
    labels.set(name, own)
  }
  return labels
}

/** The labels that selectors and groups name of our metrics. Prometheus itself adds two. */
function labelsInQueries(text: string): { name: string; label: string }[] {
  const metric = String.raw`((?:meridian|http)_\w+)`
  const selected = [...text.matchAll(new RegExp(String.raw`${metric}\{([^}]*)\}`, 'g'))].flatMap(
    ([, name = '', pairs = '']) =>
      [...pairs.matchAll(/(\w+)(?:=~|!~|!=|=)\\?"/g)].map(([, label = '']) => ({ name, label })),
  )
  const grouped = [
    ...text.matchAll(new RegExp(String.raw`by \(([^)]*)\)\s*\((?:\w+\()?${metric}`, 'g')),
  ].flatMap(([, group = '', name = '']) => group.split(', ').map((label) => ({ name, label })))
  return [...selected, ...grouped].filter(({ label }) => !['job', 'instance'].includes(label))
}

const folder = 'deploy/monitoring'
const rules = readFileSync(`${folder}/alerts.yml`, 'utf8')
const dashboard = readFileSync(`${folder}/dashboard.json`, 'utf8')

eachShop((openShop) => {
  test('a scrape by address without the right token is a 404, and not a wrong host name', async () => {
    const { visit } = await openShop({
      mode: 'production',
      catalog: 'empty',
      env: { METRICS_TOKEN: token, PUBLIC_ORIGIN: 'https://shop.example' },
    })
    const host = '127.0.0.1:3001'
    const scrapes: Record<string, string>[] = [
      { host },
      { host, authorization: `Bearer ${token}x` },
      { host, 'x-forwarded-for': '192.0.2.1' },
    ]
    for (const headers of scrapes) {
      const refused = await visit().get('/metrics', headers)
      expect(refused.status).toBe(404)
      expect(refused.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(await refused.text()).toBe('Not found.')
    }
    expect((await visit().get('/metrics', { host, ...scrape })).status).toBe(200)
    expect((await visit().get('/products', { host })).status).toBe(421)
  })

  test('metrics count requests by route and show queues, without paths, queries and persons', async () => {
    const shop = await openShop({ env: { METRICS_TOKEN: token } })
    const { get } = shop.visit()
    const { id } = await shop.db.selectFrom('products').select('id').executeTakeFirstOrThrow()
    expect((await get(`/products/${id}?variant=none`)).status).toBe(200)
    expect((await get('/products?q=warfarin')).status).toBe(200)
    expect((await get('/api/orders')).status).toBe(401)
    await sql`insert into outbox (id, sealed_mail, attempts, due_at, created_at, failed_at)
      values ('m1', 'x', 60, ${new Date(0)}, ${new Date(0)}, ${new Date(0)}),
        ('m2', 'x', 0, ${new Date(Date.now() - 90_000)}, ${new Date(0)}, null)`.execute(shop.db)

    await recordRun(shop.db, { kind: 'job', name: 'outbox', at: new Date(), durationMs: 1, error: null })

    const missing = await get('/no-such-page')
    for (const authorization of ['', `Bearer ${token}x`, token]) {
      const refused = await get('/metrics', { authorization })
      expect(refused.status).toBe(404)
      expect(refused.headers.get('content-type')).toBe(missing.headers.get('content-type'))
    }
    const answer = await get('/metrics', scrape)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4')
    const text = await answer.text()
    const valueOf = (series: string) => Number(text.split(`\n${series} `)[1]?.split('\n')[0])
    const requests = (labels: string) => valueOf(`http_request_duration_seconds_count{${labels}}`)
    expect(requests('route="/products/:id",method="GET",status="2xx"')).toBe(1)
    expect(requests('route="/products",method="GET",status="2xx"')).toBe(1)
    expect(requests('route="/api/orders",method="GET",status="4xx"')).toBe(1)
    expect(valueOf('meridian_refusals_total{code="401"}')).toBe(1)
    expect(valueOf('meridian_queue_waiting{queue="outbox"}')).toBe(1)
    expect(valueOf('meridian_queue_oldest_seconds{queue="outbox"}')).toBeGreaterThan(89)
    expect(valueOf('meridian_queue_failed{queue="outbox"}')).toBe(1)
    expect(valueOf('meridian_database_up')).toBe(1)
    // What the process itself reports (app/server.ts).
    const process = new Registry()
    collectDefaultMetrics({ register: process })
    const known = new Set(
      [...`${text}${await process.metrics()}`.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name),
    )
    // No check of the audit log has run yet.
    known.add('meridian_audit_findings')
    const used = `${rules}${dashboard}`
    for (const [name] of used.matchAll(/\b(meridian|http|nodejs|process)_\w+/g)) {
      expect(known, name).toContain(name.replace(/_(bucket|sum|count)$/, ''))
    }
    // A misspelled label would never match, so its alert would never fire.
    const labels = labelsByMetric(text)
    expect(labels.get('meridian_queue_oldest_seconds')).toEqual(new Set(['queue']))
    const misspelled = labelsInQueries(used).filter(
      ({ name, label }) => labels.get(name)?.has(label) === false,
    )
    expect(misspelled).toEqual([])
    const reported = [...known].filter((name = '') => name.startsWith('meridian_'))
    expect(reported.filter((name = '') => !dashboard.includes(name))).toEqual([])
    // A misspelled queue would never alert.
    const queues = [...used.matchAll(/\bqueue(?:=|!=|=~|!~)\\?"([\w|]+)/g)].flatMap(([, names = '']) =>
      names.split('|'),
    )
    expect(queues).toContain('prescriptions')
    for (const queue of queues) expect(text).toContain(`meridian_queue_oldest_seconds{queue="${queue}"} `)
    for (const secret of [id, 'warfarin', 'no-such-page', '@meridian.test'])
      expect(text).not.toContain(secret)
  })
})
