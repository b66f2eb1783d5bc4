import { runCommand } from '#tests/support/commands.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { plainClient } from '#tests/support/http-client.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { appCode } from '#tests/support/second-factor.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'

const email = 'admin@meridian.test'
const { ENCRYPTION_KEYS, SESSION_SECRET } = productionEnv

eachEngine((_engine, _openDb, openWithUrl) => {
  // The procedure of docs/operations.md, "Emergency access", from its first step to its last.
  test('with the keys from escrow, a locked-out admin gets to a patient’s prescription', async () => {
    const { db, url } = await openWithUrl('demo')
    const shop = await startShop(url, { demoCatalog: false, env: { REQUIRE_ADMIN_MFA: 'on' } })
    onTestFinished(async () => void (await shop.stop()))
    // The phone is lost, and the account was suspended.
    const lost = { sealedTotpSecret: 'lost', totpConfirmedAt: new Date(), suspendedAt: new Date() }
    await db.updateTable('users').set(lost).where('roles', '=', 'admin').execute()
    const admin = plainClient(shop.origin)
    onTestFinished(() => admin.close())
    const signIn = (password: string) => admin.send('POST', '/login', { form: { email, password } })
    expect((await signIn('meridian-demo')).status).toBe(403)

    const run = (args: string[], env: Record<string, string> = {}) =>
      runCommand('emergency-access', {
        args,
        env: { DATABASE_URL: url, PUBLIC_ORIGIN: shop.origin, ENCRYPTION_KEYS, SESSION_SECRET, ...env },
      })
    const reason = ['--reason', 'The phone is lost and a patient needs a refill.']
    expect(await run(['--email', email])).toMatchObject({ code: 1, err: expect.stringMatching(/^Add why/) })
    const otherKeys = `other:${randomBytes(32).toString('base64')}`
    expect(await run(['--email', email, ...reason], { ENCRYPTION_KEYS: otherKeys })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^ENCRYPTION_KEYS: the database names the key/),
    })
    expect(await run(['--email', 'nobody@meridian.test', ...reason])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/doesn’t have an account/),
    })
    const { code, out } = await run(['--email', email, ...reason])
    expect(code).toBe(0)
    const { pathname, search, searchParams } = new URL(out.trim().split('\n').at(-1) ?? '')

    expect((await admin.send('GET', pathname + search)).status).toBe(200)
    const password = 'a new password for emergencies'
    const form = { token: searchParams.get('token') ?? '', password, confirmPassword: password }
    expect((await admin.send('POST', pathname, { form })).status).toBe(303)
    expect((await admin.send('POST', pathname, { form })).status).toBe(404)
    expect((await signIn(password)).status).toBe(303)

    // The back office stays closed until the new phone is set up.
    expect((await admin.send('GET', '/admin/prescriptions')).status).toBe(302)
    const security = (fields: Record<string, string>) =>
      admin.send('POST', '/account/security', { form: fields })
    expect(
      (await security({ intent: 'begin-second-factor', currentPassword: password, code: '' })).status,
    ).toBe(303)
    const { body } = await admin.send('GET', '/account/security')
    const [, secret = ''] =
      /secret=([A-Z2-7]+)/.exec(body) ?? /((?:[A-Z2-7]{4} ){3,}[A-Z2-7]+)/.exec(body) ?? []
    const confirmed = await security({
      intent: 'confirm-second-factor',
      code: appCode(secret, new Date()),
    })
    expect(confirmed.status).toBe(200)
    const prescription = await db.selectFrom('prescriptions').select('id').executeTakeFirstOrThrow()
    expect((await admin.send('GET', `/admin/prescriptions?id=${prescription.id}`)).status).toBe(200)
    const file = await admin.send('GET', `/api/prescriptions/${prescription.id}/file`)
    expect(file.body).toMatch(/^%PDF/)

    const actions = await db.selectFrom('auditLog').select(['action', 'actorId']).orderBy('id').execute()
    expect(actions).toContainEqual({ action: 'access.emergency', actorId: null })
    expect(actions.at(-1)).toMatchObject({ action: 'prescription.file-read', actorId: expect.any(String) })
    const outbox = await admin.send('GET', '/demo/outbox')
    expect(outbox.body).toContain('Emergency access to the shop was used')
  })
})
