import { userQuerySchema } from '#domain/accounts/user-rows.ts'
import { gridTargetSchema } from '#domain/grid.ts'
import { orderQuerySchema, orderTargetSchema } from '#domain/orders/admin-orders.ts'
import { expect, test } from 'vitest'

test('a bulk change by a filter that the list would ignore is refused', () => {
  expect(orderQuerySchema.parse({ status: 'of-the-next-release' }).status).toBeUndefined()
  const refused = orderTargetSchema.safeParse({ query: { status: 'of-the-next-release' } })
  expect(refused.success).toBe(false)
  const users = gridTargetSchema(userQuerySchema, ['role', 'status'])
  expect(users.safeParse({ role: 'of-the-next-release' }).success).toBe(false)
  expect(users.safeParse({ role: 'pharmacist', status: 'suspended' }).success).toBe(true)
})

test('known filters, none and an empty one match as the list does', () => {
  const query = (params: Record<string, string>) => orderTargetSchema.parse({ query: params })
  expect(query({ status: 'paid', q: 'quill' })).toMatchObject({ query: { status: 'paid', q: 'quill' } })
  expect(query({ status: '' })).toMatchObject({ query: { q: '' } })
  expect(query({})).toMatchObject({ query: { sort: 'date' } })
})
