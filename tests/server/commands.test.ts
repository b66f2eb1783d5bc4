import { productionEnv } from '#tests/support/production-env.ts'
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

// The other tests of these commands start bundles of them.
test.each([
  ['audit:verify', 'There is no database at /nowhere/shop.sqlite.'],
  ['backup', 'Add the new folder of the backup: --to DIR'],
  ['catalog:import', 'Usage: npm run catalog:import -- --ndc FILE'],
  ['emergency:access', 'Add the account’s email: --email name@example.com'],
  ['fills:verify', 'There is no database at /nowhere/shop.sqlite.'],
  ['keys:rotate', 'There is no database at /nowhere/shop.sqlite.'],
  ['restore', 'Add the folder of the backup: --from DIR'],
  ['stock:verify', 'There is no database at /nowhere/shop.sqlite.'],
  ['users:admin', 'Add the account’s email: --email name@example.com'],
])('npm run %s starts from its sources', (name, message) => {
  const { ENCRYPTION_KEYS, SESSION_SECRET } = productionEnv
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', name], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: 'sqlite:/nowhere/shop.sqlite', ENCRYPTION_KEYS, SESSION_SECRET },
  })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain(message)
})
