import { endHoldSchema } from '#domain/screening/recall-hold.ts'
import { parseWithZod } from '@conform-to/zod/v4'
import { expect, test } from 'vitest'

const parse = (fields: Record<string, string>) => {
  const form = new FormData()
  const typed = {
    variantId: 'x',
    held: '132',
    quantity: '10',
    outcome: 'destroyed',
    reason: 'Certificate 12',
  }
  for (const [name, value] of Object.entries({ ...typed, ...fields })) form.append(name, value)
  return parseWithZod(form, { schema: endHoldSchema })
}

test('held units are counted in digits', () => {
  expect(parse({ quantity: ' 10 ' })).toMatchObject({ value: { held: 132, quantity: 10 } })
  for (const quantity of ['1e1', '0x2', '1.5', '1.0', '-1', '+1', '1,000', '1234567890', '']) {
    expect(parse({ quantity }), quantity).toHaveProperty('error', { quantity: ['Enter a whole number.'] })
  }
  expect(parse({ quantity: '0' })).toHaveProperty('error', { quantity: ['Enter at least 1.'] })
})

test('a page that does not say how many units it showed asks to be reloaded', () => {
  for (const held of ['', '0', '1e2', 'many']) {
    expect(parse({ held }), held).toHaveProperty('error', { held: ['Reload the page and try again.'] })
  }
})
