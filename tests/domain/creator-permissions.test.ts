import {
  lacksRequiredFactor,
  permissionsOfKey,
  type KeyCreator,
} from '#domain/api-keys/creator-permissions.ts'
import { catalogPermissions } from '#domain/api-keys/key-permissions.ts'
import { expect, test } from 'vitest'

const at = new Date('2026-03-10T12:00:00Z')
const creator: KeyCreator = { roles: 'admin', suspendedAt: null, totpConfirmedAt: at }
const given = (
  changes: Partial<KeyCreator>,
  { permissions = catalogPermissions, requireAdminMfa = true } = {},
) => permissionsOfKey({ permissions, creator: { ...creator, ...changes } }, { requireAdminMfa })

test('a key has its own permissions, as far as its creator holds them', () => {
  expect(given({})).toEqual(['catalog.write', 'stock.read', 'stock.write'])
  expect(given({ roles: 'fulfillment' })).toEqual(['stock.read'])
  expect(given({ roles: 'support' })).toEqual([])
  expect(given({ roles: '' })).toEqual([])
})

test('a key never has more than it was given', () => {
  expect(permissionsOfKey({ permissions: ['stock.read'], creator }, { requireAdminMfa: true })).toEqual([
    'stock.read',
  ])
  expect(permissionsOfKey({ permissions: [], creator }, { requireAdminMfa: true })).toEqual([])
})

test('no call is accepted for a creator who is suspended or deleted', () => {
  expect(given({ suspendedAt: at })).toBeNull()
  expect(
    permissionsOfKey({ permissions: catalogPermissions, creator: null }, { requireAdminMfa: false }),
  ).toBeNull()
})

test('a key has no permissions while its creator lacks a second factor that the shop requires', () => {
  expect(given({ totpConfirmedAt: null })).toEqual([])
  expect(given({ totpConfirmedAt: null }, { requireAdminMfa: false })).toEqual([...catalogPermissions])
  const without = { ...creator, totpConfirmedAt: null }
  expect(lacksRequiredFactor(without, { requireAdminMfa: true })).toBe(true)
  expect(lacksRequiredFactor(without, { requireAdminMfa: false })).toBe(false)
  expect(lacksRequiredFactor(creator, { requireAdminMfa: true })).toBe(false)
})
