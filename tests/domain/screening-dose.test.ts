import { alertsOf, itemOf, medicationOf, x } from '#tests/support/screening.ts'
import { describe, expect, test } from 'vitest'

describe('the dose a day', () => {
  const fill = { units: 90, unit: 'tablet', daysSupply: 30 }
  const doses = (strength: string, changes: Partial<typeof fill> = {}, itemId: string | null = null) =>
    alertsOf({ lines: [{ ...x, strength, itemId, fill: { ...fill, ...changes } }] }, {})
  test('the dose a day is information for staff about the prescription item', () => {
    expect(doses('20 mg', {}, 'item')).toEqual([
      {
        key: 'dose:item',
        kind: 'dose',
        level: 'information',
        isFolded: false,
        audience: 'staff',
        effect: null,
        first: { key: 'X', items: [itemOf('X')] },
        second: null,
        detail: '60 mg a day: 90 × 20 mg in 30 days',
        sources: [],
      },
    ])
    expect(doses('20 mg')[0]?.key).toBe('dose:X')
  })

  test.each([
    ['1,000 mg', {}, '3,000 mg a day: 90 × 1,000 mg in 30 days'],
    ['12.5 mcg', {}, '37.5 mcg a day: 90 × 12.5 mcg in 30 days'],
    ['1 G', {}, '3 G a day: 90 × 1 G in 30 days'],
    ['100 units/mL', { unit: 'mL', units: 10 }, '33.3333 units a day: 10 × 100 units/mL in 30 days'],
    ['250 mg/5 mL', { unit: 'mL', units: 150 }, '250 mg a day: 150 × 250 mg/5 mL in 30 days'],
    ['250 mg/2.5 mL', { unit: 'mL', units: 150 }, '500 mg a day: 150 × 250 mg/2.5 mL in 30 days'],
    ['5 mg/10.5 mL', { unit: 'mL', units: 315 }, '5 mg a day: 315 × 5 mg/10.5 mL in 30 days'],
    ['2 mg/dose', { unit: 'dose' }, '6 mg a day: 90 × 2 mg/dose in 30 days'],
    ['', {}, '3 tablet a day: 90 × tablet in 30 days'],
    ['10 mg / 20 mg', {}, '3 tablet a day: 90 × 10 mg / 20 mg in 30 days'],
    ['about 10 mg', {}, '3 tablet a day: 90 × about 10 mg in 30 days'],
    ['10 mg/mL/h', {}, '3 tablet a day: 90 × 10 mg/mL/h in 30 days'],
    ['20 mg', { units: 100_000, daysSupply: 7 }, '285,714 mg a day: 100,000 × 20 mg in 7 days'],
    ['20 mg', { unit: 'pack' }, undefined],
    ['20 mg', { units: 0 }, undefined],
    ['20 mg', { daysSupply: 0 }, undefined],
  ])('the dose a day of %s, %j', (strength, changes, detail) => {
    expect(doses(strength, changes)[0]?.detail).toBe(detail)
  })

  test('the dose a day is not known without a fill, and is not computed for what the patient takes', () => {
    expect(
      alertsOf({ lines: [{ ...x, strength: '20 mg' }], patient: { medications: [medicationOf(['Y'])] } }, {}),
    ).toEqual([])
  })
})
