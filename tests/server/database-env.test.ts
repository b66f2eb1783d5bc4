import { readEnv } from '#server/env.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { afterEach, expect, test, vi } from 'vitest'

const remote = 'postgres://shop:no-secret@db.example/shop'

afterEach(() => vi.unstubAllEnvs())

test.each([
  'sqlite:/var/lib/meridian/shop.sqlite',
  'postgres://shop@127.0.0.1/shop',
  'postgres://shop@localhost:5433/shop',
  'postgres://shop@[::1]/shop',
  'postgres://shop@localhost/shop?host=/var/run/postgresql',
  'postgres://shop@db.example/shop?host=/var/run/postgresql',
  `${remote}?sslmode=verify-full`,
  `${remote}?ssl=true`,
])('production starts with the database %s', (url) => {
  expect(readEnv('production', { ...productionEnv, DATABASE_URL: url }).databaseUrl).toBe(url)
})

test.each([
  remote,
  `${remote}?sslmode=disable`,
  `${remote}?sslmode=no-verify`,
  `${remote}?ssl=0`,
  `${remote}?ssl=no-verify`,
  // As libpq has them, these verify no certificate, or not its name.
  `${remote}?uselibpqcompat=true&sslmode=require`,
  `${remote}?uselibpqcompat=true&sslmode=prefer`,
  'postgres://shop@10.0.0.7/shop',
  'postgres://shop@localhost/shop?host=db.example',
  'postgres://shop@127.example/shop',
])('production refuses the database %s, which is elsewhere and not verified', (url) => {
  const read = () => readEnv('production', { ...productionEnv, DATABASE_URL: url })
  expect(read).toThrow(/^DATABASE_URL: needs sslmode=verify-full, because [^\n]+ another machine$/)
})

test('the driver’s own variables count', () => {
  const withoutHost = { ...productionEnv, DATABASE_URL: 'postgres:///shop' }
  vi.stubEnv('PGHOST', 'db.example')
  expect(() => readEnv('production', withoutHost)).toThrow(/verify-full/)
  vi.stubEnv('PGSSLMODE', 'verify-full')
  expect(readEnv('production', withoutHost).databaseUrl).toBe('postgres:///shop')
})

test('a command in the environment of a real shop is refused too; dev and demo are not', () => {
  const shop = { ...productionEnv, PUBLIC_ORIGIN: 'https://shop.example', DATABASE_URL: remote }
  expect(() => readEnv('dev', shop)).toThrow(/verify-full/)
  expect(readEnv('demo', { DATABASE_URL: remote }).databaseUrl).toBe(remote)
})

test('a replica needs a Postgres primary and the same TLS', () => {
  const read = (values: Record<string, string>) => readEnv('production', { ...productionEnv, ...values })
  const local = 'postgres://shop@127.0.0.1/shop'
  expect(read({ DATABASE_URL: local }).databaseReplicaUrl).toBeNull()
  expect(read({ DATABASE_URL: local, DATABASE_REPLICA_URL: local }).databaseReplicaUrl).toBe(local)
  expect(() => read({ DATABASE_URL: 'sqlite:/shop.sqlite', DATABASE_REPLICA_URL: local })).toThrow(
    'DATABASE_REPLICA_URL: needs DATABASE_URL=postgres://…',
  )
  expect(() => read({ DATABASE_URL: local, DATABASE_REPLICA_URL: 'sqlite:/shop.sqlite' })).toThrow(
    'DATABASE_REPLICA_URL: must be postgres://…',
  )
  expect(() => read({ DATABASE_URL: local, DATABASE_REPLICA_URL: remote })).toThrow(
    /^DATABASE_REPLICA_URL: needs sslmode=verify-full/,
  )
})

test('a certificate that is missing stops the start without the password', () => {
  const url = `${remote}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`
  const read = () => readEnv('production', { ...productionEnv, DATABASE_URL: url })
  expect(read).toThrow(/^DATABASE_URL: can’t be read: ENOENT.*ca\.pem/)
  expect(read).not.toThrow(/no-secret/)
})
