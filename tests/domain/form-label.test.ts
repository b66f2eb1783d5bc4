import type { DosageForm } from '#domain/catalog/catalog.ts'
import { formLabel, toFormDetail } from '#domain/catalog/form-label.ts'
import { orderContentSchema } from '#domain/orders/orders.ts'
import { expect, test } from 'vitest'

test.each<[DosageForm | null, string | null, string, string]>([
  ['tablet', 'TABLET', '', 'tablet'],
  ['tablet', null, '', 'tablet'],
  ['tablet', 'TABLET, EXTENDED RELEASE', 'extended release', 'tablet, extended release'],
  ['tablet', 'TABLET, FILM COATED', 'film coated', 'tablet, film coated'],
  ['tablet', 'Tablet, chewable', 'chewable', 'tablet, chewable'],
  ['tablet', 'TABLET (EXTENDED-RELEASE)', 'extended-release', 'tablet, extended-release'],
  ['tablet', 'TABLET; KIT', 'kit', 'tablet, kit'],
  ['tablet', 'VAGINAL TABLET', 'labeled “vaginal tablet”', 'tablet, labeled “vaginal tablet”'],
  ['cream', 'LOTION', 'labeled “lotion”', 'cream, labeled “lotion”'],
  ['gel', 'GELATIN', 'labeled “gelatin”', 'gel, labeled “gelatin”'],
  [null, 'KIT', 'kit', 'kit'],
  [null, null, '', ''],
])('a %s that is labeled %s', (dosageForm, labelForm, detail, label) => {
  const formDetail = toFormDetail(dosageForm, labelForm)
  expect(formDetail).toBe(detail)
  expect(formLabel({ dosageForm, formDetail })).toBe(label)
})

test('an order from before the form’s detail was kept has none', () => {
  const variant = {
    brandName: null,
    strength: '10',
    strengthUnit: 'mg',
    dosageForm: 'tablet',
    packageSize: 30,
    packageUnit: 'tablet',
  }
  const line = {
    id: 'line',
    productVariantId: 'variant',
    quantity: 1,
    priceCents: 100,
    isTracked: true,
    product: { id: 'product', name: 'Lisinopril', category: 'Rx' },
    variant,
  }
  const { lines } = orderContentSchema.parse({
    lines: [line],
    shipTo: { text: '1 Main St', parts: null },
    customer: { name: 'Ada', email: 'ada@example.com' },
  })
  expect(lines[0]?.variant).toEqual({ ...variant, formDetail: '' })
})
