import { orderQuerySchema } from '#domain/orders/admin-orders.ts'
import { expect, test } from 'vitest'

test('a page of orders has 25 rows until the user chooses another size', () => {
  expect(orderQuerySchema.parse({}).size).toBe(25)
  expect(orderQuerySchema.parse({ size: '50' }).size).toBe(50)
  expect(orderQuerySchema.parse({ size: '7' }).size).toBe(25)
})
