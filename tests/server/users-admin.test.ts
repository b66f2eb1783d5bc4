import { createUser } from '#server/accounts/create-user.ts'
import { startContext } from '#server/context.ts'
import { readEnv } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { runCommand } from '#tests/support/commands.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { expect, test } from 'vitest'

const { ENCRYPTION_KEYS, SESSION_SECRET } = productionEnv

/** Each run starts a process, which is slow on a busy machine. */
const slow = { timeout: 60_000 }

/** Runs the command on this database. */
async function run(
  url: string,
  options: string[],
  env: Record<string, string> = { ENCRYPTION_KEYS, SESSION_SECRET },
) {
  const { code, out, err } = await runCommand('users-admin', {
    args: options,
    env: { DATABASE_URL: url, ...env },
  })
  return { code, output: out + err }
}

eachEngine((_engine, _openDb, openWithUrl) => {
  test('users:admin grants the role to an existing account and prints one sentence', slow, async () => {
    const { db, url } = await openWithUrl()
    const env = readEnv('dev', { DATABASE_URL: url, ENCRYPTION_KEYS, SESSION_SECRET })
    const ctx = startContext({ db, log: createLog('silent'), keys: await openShopKeys(db, env) })
    const email = 'first@shop.example'
    await createUser(ctx, { email, firstName: null, lastName: null, passwordHash: null })
    const isAdmin = async () =>
      (await db.selectFrom('users').select('roles').executeTakeFirst())?.roles === 'admin'

    expect(await run(url, ['--email', 'nobody@shop.example'])).toEqual({
      code: 1,
      output: 'nobody@shop.example doesn’t have an account.\n',
    })
    expect((await run(url, [])).output).toMatch(/^Add the account’s email: --email \S+\n$/)
    // Other keys find no account, which must not look like an answer.
    const otherKeys = `other:${Buffer.alloc(32, 9).toString('base64')}`
    const wrong = await run(url, ['--email', email], { ENCRYPTION_KEYS: otherKeys, SESSION_SECRET })
    expect(wrong).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^ENCRYPTION_KEYS: the database names the key "[^"]+", and there is no such key\.\n$/,
      ),
    })
    expect(await isAdmin()).toBe(false)
    expect(await run(url, ['--email', email])).toEqual({ code: 0, output: `${email} is now an admin.\n` })
    expect(await run(url, ['--email', email])).toEqual({ code: 0, output: `${email} is already an admin.\n` })
    expect(await isAdmin()).toBe(true)
  })
})
