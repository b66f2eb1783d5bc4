import { deleteExpiredDevices } from '#db/accounts/known-devices.ts'
import { findCredentials } from '#db/accounts/credentials.ts'
import { startSecondStep, completeSignIn } from '#server/accounts/complete-sign-in.ts'
import { foldPassword } from '#domain/accounts/weak-password.ts'
import { AppError } from '#domain/errors.ts'
import { createUser } from '#server/accounts/create-user.ts'
import { knownDeviceSeconds } from '#server/accounts/known-device.ts'
import { createOneTimeToken } from '#server/accounts/one-time-token.ts'
import { maxConcurrent, hashPassword, verifyPassword, dummyHash } from '#server/accounts/passwords.ts'
import { register } from '#server/accounts/register.ts'
import { resetPassword } from '#server/accounts/reset-password.ts'
import { requireStrongPassword } from '#server/accounts/require-strong-password.ts'
import { signIn } from '#server/accounts/sign-in.ts'
import { blindIndex } from '#server/crypto/tokens.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { limitedTo, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { verify } from '@node-rs/argon2'
import { readFileSync } from 'node:fs'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'

// An earlier file of this worker may have loaded the password code without the spy below.
vi.hoisted(() => vi.resetModules())
// The real argon2 with a spy: the number of calls is what an attacker could time.
vi.mock('@node-rs/argon2', async (load) => {
  const real = await load<typeof import('@node-rs/argon2')>()
  return { ...real, verify: vi.fn<typeof real.verify>(real.verify) }
})

const password = 'correct horse battery'
const passwordHash = await hashPassword(password)
const email = 'zoe@customer.example'
const rateLimits = limitedTo('sign-in-address', { limit: 1000, windowSeconds: 900 })

beforeEach(() => {
  vi.mocked(verify).mockClear()
})

// Later files of this worker load the real one again.
afterAll(() => {
  vi.doUnmock('@node-rs/argon2')
  vi.resetModules()
})

test('the dummy hash costs as much as a real one', async () => {
  const parametersOf = (hash: string) => hash.split('$').slice(0, 4)
  expect(parametersOf(dummyHash)).toEqual(parametersOf(passwordHash))
  expect(dummyHash.length).toBe(passwordHash.length)
})

test('a password matches in any Unicode form, and its whole length counts', async () => {
  const hash = await hashPassword('Zoë’s Ångström lamp')
  expect(await verifyPassword(hash, 'Zoë’s Ångström lamp'.normalize('NFD'))).toBe(true)
  const long = await hashPassword(`${'a'.repeat(127)}b`)
  expect(await verifyPassword(long, `${'a'.repeat(127)}c`)).toBe(false)
})

test('the committed list has the common passwords, and they are refused as such', async () => {
  const email = 'zoe@customer.example'
  for (const password of ['password1234', 'Qazwsxedc123', '1qaz2wsx3edc', 'administrator', 'unbelievable']) {
    await expect(requireStrongPassword('newPassword', { password, email }), password).rejects.toMatchObject({
      code: 'INVALID',
      fields: { newPassword: 'Many people use this password. Choose a few random words instead.' },
    })
  }
  const partOfOne = { password: 'nbelievable-x', email }
  await expect(requireStrongPassword('password', partOfOne)).resolves.toBeUndefined()
  const { passwords } = z
    .object({ passwords: z.string() })
    .parse(JSON.parse(readFileSync('server/accounts/common-passwords.json', 'utf8')))
  const lines = passwords.trim().split('\n')
  // OWASP ASVS 5.0, 6.2.4: at least the 3000 most common that are long enough.
  expect(lines.length).toBeGreaterThan(40_000)
  expect(lines.filter((line) => line.length < 12 || line !== foldPassword(line))).toEqual([])
})

/** Runs `work` with comparisons of passwords that end when `endSome` is called, in their order. */
async function withOpenHashes(
  work: (hashes: {
    open: (() => void)[]
    endSome: () => Promise<number>
    maxRunning: () => number
  }) => Promise<void>,
): Promise<void> {
  let running = 0
  let maxRunning = 0
  const open: (() => void)[] = []
  vi.mocked(verify).mockImplementation(async () => {
    maxRunning = Math.max(maxRunning, ++running)
    await new Promise<void>((done) => open.push(done))
    running--
    return true
  })
  const endSome = async () => {
    const now = open.splice(0)
    for (const end of now) end()
    await new Promise((next) => setImmediate(next))
    return now.length
  }
  try {
    await work({ open, endSome, maxRunning: () => maxRunning })
  } finally {
    const { verify: real } = await vi.importActual<typeof import('@node-rs/argon2')>('@node-rs/argon2')
    vi.mocked(verify).mockImplementation(real)
  }
}

const refusedHash = { code: 'UNAVAILABLE', retryAfter: 5 }

test('at most two hashes run, 200 wait, and further ones are refused', async () => {
  expect(maxConcurrent).toBeGreaterThan(0)
  expect(maxConcurrent).toBeLessThanOrEqual(2)
  await withOpenHashes(async ({ open, endSome, maxRunning }) => {
    const line = Array.from({ length: maxConcurrent + 200 }, (_, i) =>
      verifyPassword(passwordHash, password, { client: `192.0.2.${i % 4}` }),
    )
    await vi.waitFor(() => expect(open).toHaveLength(maxConcurrent), { timeout: 60_000 })
    await expect(verifyPassword(passwordHash, password)).rejects.toMatchObject(refusedHash)
    for (let ended = 0; ended < line.length;) ended += await endSome()
    expect((await Promise.all(line)).every(Boolean)).toBe(true)
    expect(maxRunning()).toBe(maxConcurrent)
  })
})

test('one client takes half of the queue at most, and another does not wait for its hashes', async () => {
  await withOpenHashes(async ({ open, endSome }) => {
    const flood = { client: '192.0.2.1' }
    const line = Array.from({ length: maxConcurrent + 100 }, () =>
      verifyPassword(passwordHash, password, flood),
    )
    const refused = verifyPassword(passwordHash, password, flood).catch((error: unknown) => error)
    let ended = 0
    const other = verifyPassword(passwordHash, password, { client: '192.0.2.2' }).then(() => ended)
    await vi.waitFor(() => expect(open).toHaveLength(maxConcurrent), { timeout: 60_000 })
    for (let some = await endSome(); some > 0; some = await endSome()) ended += some
    expect(await refused).toMatchObject(refusedHash)
    // Those that ran when it came, and one of the flood whose turn it was.
    expect(await other).toBeLessThanOrEqual(3 * maxConcurrent)
    expect((await Promise.all(line)).every(Boolean)).toBe(true)
  })
})

eachEngine((_engine, openDb) => {
  test('the right password signs in, and errors do not reveal which part was wrong', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const userId = await makeUser(db, { email, passwordHash })
    expect(await signIn(ctx, { email: ' Zoe@CUSTOMER.example', password })).toEqual({
      userId,
      passwordHash,
      hasSecondFactor: false,
    })
    await makeUser(db, { email: 'by-provider@customer.example', passwordHash: null })
    for (const [who, what] of [
      [email, 'wrong horse battery'],
      ['unknown@customer.example', password],
      ['by-provider@customer.example', password],
      ['no address at all', password],
      [email, ''],
    ] as const) {
      vi.mocked(verify).mockClear()
      await expect(signIn(ctx, { email: who, password: what }), who).rejects.toMatchObject({
        code: 'INVALID',
        message: 'The email or password is incorrect.',
        fields: {},
      })
      // The same work: known and unknown addresses take the same time.
      expect(verify, who).toHaveBeenCalledTimes(1)
    }
  })

  test('signIn reports a second factor', async () => {
    const db = await openDb()
    await makeUser(db, { email, passwordHash })
    await db.updateTable('users').set({ totpConfirmedAt: new Date() }).execute()
    expect(await signIn(testContext(db), { email, password })).toMatchObject({ hasSecondFactor: true })
  })

  test('ten failures lock an address for 15 minutes, with or without an account', async () => {
    const db = await openDb()
    await makeUser(db, { email, passwordHash })
    for (const address of [email, 'unknown@customer.example']) {
      const ctx = testContext(db, { rateLimits })
      for (let i = 0; i < 10; i++) {
        await expect(signIn(ctx, { email: address, password: 'wrong' })).rejects.toMatchObject({
          code: 'INVALID',
        })
      }
      vi.mocked(verify).mockClear()
      await expect(signIn(ctx, { email: address.toUpperCase(), password }), address).rejects.toMatchObject({
        code: 'TOO_MANY',
        retryAfter: 900,
      })
      expect(verify).not.toHaveBeenCalled()
      const later = { ...ctx, now: new Date(ctx.now.getTime() + 901_000) }
      const again = signIn(later, { email: address, password })
      if (address === email) expect((await again).hasSecondFactor).toBe(false)
      else await expect(again).rejects.toMatchObject({ code: 'INVALID' })
    }
  })

  test('successful sign-ins neither count nor reset the limit', async () => {
    const db = await openDb()
    await makeUser(db, { email, passwordHash })
    const ctx = testContext(db, { rateLimits })
    for (let i = 0; i < 9; i++) await signIn(ctx, { email, password: 'wrong' }).catch(() => undefined)
    for (let i = 0; i < 3; i++) await signIn(ctx, { email, password })
    await expect(signIn(ctx, { email, password: 'wrong' })).rejects.toMatchObject({ code: 'INVALID' })
    await expect(signIn(ctx, { email, password })).rejects.toMatchObject({ code: 'TOO_MANY' })
  })

  test('of fifty concurrent wrong passwords ten are tried; fifty right ones all succeed', async () => {
    const db = await openDb()
    await makeUser(db, { email, passwordHash })
    const ctx = testContext(db, { rateLimits })
    const right = await Promise.allSettled(Array.from({ length: 50 }, () => signIn(ctx, { email, password })))
    expect(right.filter(({ status }) => status === 'fulfilled')).toHaveLength(50)
    vi.mocked(verify).mockClear()
    const wrong = await Promise.allSettled(
      Array.from({ length: 50 }, () => signIn(ctx, { email, password: 'wrong' })),
    )
    expect(verify).toHaveBeenCalledTimes(10)
    const codes = wrong.map((one) => (one.status === 'rejected' ? (one.reason as { code: string }).code : ''))
    expect(codes.filter((code) => code === 'INVALID')).toHaveLength(10)
    expect(codes.filter((code) => code === 'TOO_MANY')).toHaveLength(40)
  })

  test('an IP address that fails with many accounts is locked; others are not', async () => {
    const db = await openDb()
    await makeUser(db, { email, passwordHash })
    const limited = limitedTo('sign-in-address', { limit: 3, windowSeconds: 900 })
    const ctx = testContext(db, { rateLimits: limited })
    for (let i = 0; i < 3; i++) {
      await signIn(ctx, { email: `nobody-${i}@customer.example`, password }).catch(() => undefined)
    }
    await expect(signIn(ctx, { email, password })).rejects.toMatchObject({ code: 'TOO_MANY' })
    expect(await signIn({ ...ctx, clientAddress: '192.0.2.200' }, { email, password })).toBeDefined()
  })

  test('an attacker at many addresses has ten guesses, and the owner gets in on a known device', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { email, passwordHash })
    const owner = testContext(db, {
      rateLimits: limitedTo('sign-in-address', { limit: 30, windowSeconds: 900 }),
    })
    const browser = { hasGivenFactor: false, userAgent: null, cartToken: null }
    const first = await completeSignIn(owner, { userId, ...browser })
    const { devices } = await completeSignIn(owner, { userId, ...browser, devices: first.devices })
    // A token is replaced at each sign-in, and one of another account is worth nothing here.
    expect(devices).toHaveLength(1)
    const otherId = await makeUser(db)
    const others = await completeSignIn(owner, { userId: otherId, ...browser, devices })
    expect(others.devices).toHaveLength(2)
    const stolen = [others.devices[0] ?? '', first.devices[0] ?? '', 'made-up']

    vi.mocked(verify).mockClear()
    for (let i = 0; i < 40; i++) {
      const ctx = { ...owner, clientAddress: `198.51.100.${i}` }
      await expect(signIn(ctx, { email, password: 'wrong' }, stolen)).rejects.toBeInstanceOf(AppError)
    }
    expect(verify).toHaveBeenCalledTimes(10)
    await expect(signIn(owner, { email, password })).rejects.toMatchObject({ code: 'TOO_MANY' })
    // The owner's device has ten failures of its own, also at an address that is locked.
    for (let i = 0; i < 9; i++) {
      await expect(signIn(owner, { email, password: 'wrong' }, others.devices)).rejects.toMatchObject({
        code: 'INVALID',
      })
    }
    expect(await signIn(owner, { email, password }, others.devices)).toMatchObject({ userId })
    await expect(signIn(owner, { email, password: 'wrong' }, devices)).rejects.toMatchObject({
      code: 'INVALID',
    })
    await expect(signIn(owner, { email, password }, devices)).rejects.toMatchObject({ code: 'TOO_MANY' })
    // An account has at most ten known devices, so a hundred further guesses are the bound.
    for (let i = 0; i < 12; i++) {
      await completeSignIn({ ...owner, now: new Date(owner.now.getTime() + i) }, { userId, ...browser })
    }
    const rows = await db.selectFrom('knownDevices').selectAll().where('userId', '=', userId).execute()
    expect(rows).toHaveLength(10)
    for (const token of [...devices, ...others.devices]) expect(JSON.stringify(rows)).not.toContain(token)
    await deleteExpiredDevices(db, new Date(owner.now.getTime() + knownDeviceSeconds * 1000))
    expect((await db.selectFrom('knownDevices').select('userId').execute()).length).toBeLessThan(11)
  })

  test('a registration sent twice at once creates one account; another password is refused', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const form = { email, password, firstName: 'Zoë', lastName: null }
    const origin = 'https://shop.example'
    const both = await Promise.all([register(ctx, form, { origin }), register(ctx, form, { origin })])
    expect(both[0].userId).toBe(both[1].userId)
    expect(await db.selectFrom('users').select('id').execute()).toHaveLength(1)
    expect(await db.selectFrom('outbox').select('id').execute()).toHaveLength(1)
    await expect(
      register(ctx, { ...form, email: 'ZOE@customer.example', password: 'quite another one' }, { origin }),
    ).rejects.toMatchObject({
      code: 'INVALID',
      fields: { email: 'This email address already has an account. Sign in instead.' },
    })
    const user = await findCredentials(db, blindIndex(ctx.keys, 'email', email))
    expect(await verifyPassword(user?.passwordHash ?? '', password)).toBe(true)
  })

  test('an account is not created when its email cannot be queued', async () => {
    const db = await openDb()
    const creation = createUser(
      testContext(db),
      { email, firstName: null, lastName: null, passwordHash: null },
      async () => {
        throw new Error('no mail')
      },
    )
    await expect(creation).rejects.toThrow('no mail')
    for (const table of ['users', 'userKeys', 'auditLog'] as const) {
      expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([])
    }
  })

  test('a password changed during a sign-in invalidates that sign-in', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const userId = await makeUser(db, { email, passwordHash })
    const verified = await signIn(ctx, { email, password })
    const token = await createOneTimeToken(ctx, { purpose: 'reset-password', userId })
    const supportEmail = 'support@shop.example'
    await resetPassword(ctx, { token, password: 'quite another one' }, { supportEmail })
    const browser = { hasGivenFactor: false, userAgent: null, cartToken: null }
    const wrong = { code: 'INVALID', message: 'The email or password is incorrect.' }
    await expect(completeSignIn(ctx, { ...verified, ...browser })).rejects.toMatchObject(wrong)
    await expect(startSecondStep(ctx, verified)).rejects.toMatchObject(wrong)
    expect(await db.selectFrom('sessions').select('id').execute()).toEqual([])
    expect(await db.selectFrom('oneTimeTokens').select('purpose').execute()).toEqual([])
    await completeSignIn(ctx, {
      ...(await signIn(ctx, { email, password: 'quite another one' })),
      ...browser,
    })
    expect(await db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
  })
})
