import { alertLevels, needsDecision, type Alert } from '#domain/screening/alert.ts'
import { moreSevere, levelRank, orderAlerts } from '#domain/screening/order-alerts.ts'
import { describe, expect, test } from 'vitest'

describe('order', () => {
  test('alerts start with the most severe level', () => {
    expect(alertLevels.map(levelRank)).toEqual([0, 1, 2, 3])
    expect([moreSevere('low', 'medium'), moreSevere('medium', 'low'), moreSevere('low', 'low')]).toEqual([
      'medium',
      'medium',
      'low',
    ])
    expect(alertLevels.filter((level) => needsDecision({ level }))).toEqual(['high'])
  })

  const alert = (key: string, changes: Partial<Alert> = {}): Alert => ({
    key,
    kind: 'interaction',
    level: 'high',
    isFolded: false,
    audience: 'everyone',
    effect: null,
    first: { key, items: [] },
    second: null,
    detail: '',
    sources: [],
    ...changes,
  })
  const orderOf = (...alerts: Alert[]): string[] =>
    orderAlerts(alerts).map(({ key, isFolded }) => (isFolded ? `(${key})` : key))

  test('alerts are ordered by level, effect, kind and key', () => {
    const last = alert('level', { level: 'medium', effect: 'block', kind: 'recall' })
    const blocks = alert('blocks', { effect: 'block', kind: 'shortage' })
    const checks = alert('checks', { effect: 'check-pack', kind: 'dose' })
    const recall = alert('z recall', { kind: 'recall' })
    const [a, b] = [alert('a'), alert('b')]
    const expected = ['blocks', 'checks', 'z recall', '(a)', '(b)', '(level)']
    expect(orderOf(last, b, a, recall, checks, blocks)).toEqual(expected)
    expect(orderOf(blocks, checks, recall, a, b, last)).toEqual(expected)
  })

  test('the count leaves out alerts that are folded already', () => {
    const folded = alert('0', { isFolded: true })
    expect(orderOf(folded, alert('1'), alert('2'), alert('3'), alert('4'))).toEqual([
      '(0)',
      '1',
      '2',
      '3',
      '(4)',
    ])
  })
})
