import { careListNames } from '#domain/screening/care-lists.ts'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const folder = 'deploy/monitoring'
const read = (name: string): unknown => parse(readFileSync(`${folder}/${name}`, 'utf8'))

const alertSchema = z.object({
  alert: z.string(),
  expr: z.string(),
  labels: z.object({ severity: z.enum(['page', 'ticket']) }),
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
  expect([...quiet].toSorted()).toEqual(names.toSorted())
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
