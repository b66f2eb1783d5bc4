import { careListNames } from '#domain/screening/care-lists.ts'
import { routePaths } from '#tests/support/route-paths.ts'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const folder = 'deploy/monitoring'
const read = (name: string): unknown => parse(readFileSync(`${folder}/${name}`, 'utf8'))

const alertSchema = z.object({
  alert: z.string(),
  expr: z.string(),
  labels: z.object({ severity: z.enum(['page', 'ticket', 'none']) }),
  annotations: z.object({ summary: z.string(), runbook: z.string() }),
})
const alerts = z
  .object({ groups: z.array(z.object({ name: z.string(), rules: z.array(alertSchema) })) })
  .parse(read('alerts.yml'))
  .groups.flatMap(({ name: group, rules }) => rules.map((rule) => ({ ...rule, group })))

const cases = z
  .object({
    tests: z.array(
      z.object({
        alert_rule_test: z.array(
          z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()).default([]) }),
        ),
      }),
    ),
  })
  .parse(read('alerts.test.yml'))
  .tests.flatMap((one) => one.alert_rule_test)

const panelSchema = z.object({
  id: z.number(),
  title: z.string(),
  description: z.string().optional(),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  fieldConfig: z.object({
    defaults: z.object({
      unit: z.string(),
      thresholds: z.object({ steps: z.array(z.object({ value: z.number().nullable() })) }).optional(),
    }),
  }),
  targets: z.array(z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() })).min(1),
})
const { panels } = z.object({ panels: z.array(panelSchema) }).parse(read('dashboard.json'))

const metricsIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:meridian|http|nodejs|process)_\w+|\bup\b/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  )
const expressionOf = ({ targets }: z.infer<typeof panelSchema>): string =>
  targets.map(({ expr }) => expr).join('\n')
const repeated = <Item>(items: readonly Item[]): Item[] =>
  items.filter((item, at) => items.indexOf(item) !== at)

test('every alert has a case that fires and a case that stays quiet', () => {
  const names = alerts.map(({ alert }) => alert)
  expect(names.length).toBeGreaterThan(30)
  expect(repeated(names)).toEqual([])
  const firing = new Set(cases.filter((one) => one.exp_alerts.length > 0).map((one) => one.alertname))
  const quiet = new Set(cases.filter((one) => one.exp_alerts.length === 0).map((one) => one.alertname))
  expect([...firing].toSorted()).toEqual(names.toSorted())
  // A dead man's switch is never quiet.
  const switches = alerts.filter(({ labels }) => labels.severity === 'none').map(({ alert }) => alert)
  expect(switches).toEqual(['Watchdog'])
  expect([...quiet, ...switches].toSorted()).toEqual(names.toSorted())
})

const labelValues = (label: string, text: string): string[] =>
  [...text.matchAll(new RegExp(`\\b${label}(?:=|!=|=~|!~)\\\\?"([^"\\\\]+)`, 'g'))].flatMap(
    ([, values = '']) => values.split('|'),
  )

test('the routes of alerts and panels are those that requests are counted under', () => {
  const counted = [...routePaths, 'static', '/metrics']
  const named = labelValues(
    'route',
    [...alerts.map(({ expr }) => expr), ...panels.map(expressionOf)].join('\n'),
  )
  expect(named).toContain('/webhooks/stripe')
  expect(named.filter((route) => !counted.includes(route))).toEqual([])
})

test('probes, scrapes and files of the build count neither as requests that fail nor as slow ones', () => {
  for (const name of ['ErrorRate', 'SlowRequests']) {
    const { expr } = alerts.find(({ alert }) => alert === name) ?? expect.unreachable(name)
    const selectors = [...expr.matchAll(/http_request_\w+\{[^}]*\}/g)].map(([selector]) => selector)
    expect(selectors.length, name).toBe(name === 'ErrorRate' ? 2 : 1)
    for (const selector of selectors)
      expect(labelValues('route', selector).toSorted()).toEqual(['/healthz', '/metrics', '/readyz', 'static'])
  }
})

test('prometheus.yml has every job that an alert reads, and sends alerts', () => {
  const text = readFileSync(`${folder}/prometheus.yml`, 'utf8')
  const jobs = [...text.matchAll(/- job_name: (\S+)/g)].map(([, job = '']) => job)
  const read = alerts.flatMap(({ expr }) => labelValues('job', expr))
  expect([...new Set(read)].toSorted()).toEqual(jobs.toSorted())
  expect(
    z.object({ alerting: z.object({ alertmanagers: z.array(z.unknown()).min(1) }) }).safeParse(parse(text))
      .success,
  ).toBe(true)
})

test('an alert about screening lists names lists that the shop imports', () => {
  const lists = alerts.flatMap(({ expr }) => /\blist=~"([\w|-]+)"/.exec(expr)?.[1]?.split('|') ?? [])
  expect(lists).toContain('shortages')
  expect(lists.filter((list) => !careListNames.some((name) => name === list))).toEqual([])
})

test('the dashboard shows every metric that an alert about the shop reads', () => {
  const shown = metricsIn(panels.map(expressionOf).join('\n'))
  const read = alerts.filter(({ group }) => group === 'meridian').flatMap(({ expr }) => metricsIn(expr))
  expect(read).toContain('meridian_overload_pressure')
  expect(read.filter((name) => !shown.includes(name))).toEqual([])
})

test('each threshold of a panel is the bound of an alert about one of its metrics', () => {
  const marked = panels.filter(({ fieldConfig }) => fieldConfig.defaults.thresholds)
  expect(marked.length).toBeGreaterThan(10)
  for (const panel of marked) {
    const metrics = metricsIn(expressionOf(panel))
    const bounds = alerts
      .filter(({ expr }) => metricsIn(expr).some((name) => metrics.includes(name)))
      .flatMap(({ expr }) => [...expr.matchAll(/[<>=] ([\d.e]+)/g)].map(([, bound]) => Number(bound)))
    const steps = (panel.fieldConfig.defaults.thresholds?.steps ?? []).flatMap(({ value }) => value ?? [])
    expect(steps, panel.title).not.toEqual([])
    expect(bounds, panel.title).toEqual(expect.arrayContaining(steps))
    expect(panel.description, panel.title).toMatch(/\.$/)
  }
})

test('panels have an id and a place of their own, in three columns', () => {
  expect(repeated(panels.map(({ id }) => id))).toEqual([])
  expect(repeated(panels.map(({ title }) => title))).toEqual([])
  const places = panels.map(({ gridPos }) => gridPos)
  expect(places).toEqual(panels.map((_, at) => ({ x: (at % 3) * 8, y: Math.floor(at / 3) * 8, w: 8, h: 8 })))
})
