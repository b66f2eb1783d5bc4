import { hashPassword } from '#server/accounts/passwords.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { filesOf } from '#tests/support/zip.ts'
import { expect, test } from 'vitest'

type Customer = { visitor: Visitor; id: string }

async function signUp(shop: Shop, overrides: Parameters<typeof makeUser>[1] = {}): Promise<Customer> {
  const id = await makeUser(shop.db, overrides)
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, id)
  return { visitor, id }
}

const countUsers = async (shop: Shop): Promise<number> =>
  (await shop.db.selectFrom('users').select('id').execute()).length

eachShop((openShopOf) => {
  const openShop = () => openShopOf({ catalog: 'empty' })

  test('visitors are redirected to sign in', async () => {
    const shop = await openShop()
    for (const path of ['/account/activity', '/account/delete']) {
      const response = await shop.visit().get(path)
      expect([response.status, response.headers.get('location')]).toEqual([
        303,
        `/api/login?returnTo=${encodeURIComponent(path)}`,
      ])
    }
    const download = await shop.visit().post('/account/download', {})
    expect([download.status, download.headers.get('location')]).toEqual([
      303,
      '/api/login?returnTo=%2Faccount%2Factivity',
    ])
    expect((await shop.visit().post('/account/delete', { email: 'a@b.example' })).status).toBe(303)
    expect((await shop.visit().get('/api/shipping-addresses')).status).toBe(401)
  })

  test('a customer sees the activity on their own data only, page by page', async () => {
    const shop = await openShop()
    const { visitor, id } = await signUp(shop)
    const staff = await makeUser(shop.db, { firstName: 'Amara', isAdmin: true })
    const as = (actor: string) =>
      testContext(shop.db, { now: new Date('2026-01-05T12:04:00Z'), user: signedIn(actor) })
    await recordAudit(as(staff), { action: 'prescription.file-read', subjectId: staff })
    for (let i = 0; i < 50; i++) await recordAudit(as(id), { action: 'profile.read', subjectId: id })
    await recordAudit(as(staff), { action: 'id-document.read', subjectId: id })
    const first = await visitor.get('/account/activity?who=others')
    expect(first.headers.get('cache-control')).toBe('private, no-store')
    const html = (await first.text()).replaceAll('<!-- -->', '')
    expect(html).toContain('>Amara (pharmacy staff)</b> opened the ID document')
    expect(html).toContain('>Jan 5, 2026, 12:04 UTC</time>')
    expect(html).not.toContain('>You</b>')
    expect(html).not.toContain('a prescription’s file')
    const whole = await (await visitor.get('/account/activity')).text()
    expect(whole.match(/<time /g)).toHaveLength(50)
    const next = /href="(\/account\/activity\?before=[^"]+)"/.exec(whole)?.[1] ?? ''
    const second = await (await visitor.get(next)).text()
    expect(second).toContain('created the account')
    expect(second).toContain('>Newest</a>')
    const oldestId = '00000000-0000-7000-8000-000000000000'
    const noneEarlier = await (await visitor.get(`/account/activity?who=others&before=${oldestId}`)).text()
    expect(noneEarlier).toContain('You’ve reached the start of the log.')
    expect(noneEarlier).not.toContain('No one but you')
    expect((await visitor.get('/account/activity?before=nonsense')).status).toBe(200)
  })

  test('saved addresses are an array that is not cached', async () => {
    const shop = await openShop()
    const { visitor } = await signUp(shop)
    const response = await visitor.get('/api/shipping-addresses')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(await response.json()).toEqual([])
    expect((await visitor.request('/api/shipping-addresses', { method: 'POST' })).status).toBe(405)
  })

  test('the download starts from the form only, not from a link or another site', async () => {
    const shop = await openShop()
    const { visitor } = await signUp(shop, { profile: { allergies: 'Xanomeline' } })
    const link = await visitor.get('/account/download')
    expect([link.status, link.headers.get('location')]).toEqual([302, '/account/activity'])
    const foreign = await visitor.post('/account/download', {}, { 'sec-fetch-site': 'cross-site' })
    expect(foreign.status).toBe(403)
    const response = await visitor.post('/account/download', {})
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="meridian-[\d-]+\.zip"$/,
    )
    const files = filesOf(Buffer.from(await response.arrayBuffer()))
    expect(JSON.parse(files.get('account.json')?.toString() ?? '')).toMatchObject({
      profile: { allergies: 'Xanomeline' },
    })
    const log = await shop.db.selectFrom('auditLog').select('action').execute()
    expect(log.filter(({ action }) => action === 'account.exported')).toHaveLength(1)
  })

  test('deleting an account requires the password and signs out every browser', async () => {
    const shop = await openShop()
    const { visitor, id } = await signUp(shop, { passwordHash: await hashPassword('correct horse battery') })
    const second = shop.visit()
    await signInAs(second, shop.db, id)
    const page = await (await visitor.get('/account/delete')).text()
    expect(page).toMatch(/<a[^>]* aria-current="page"[^>]*>Data</)
    expect(page.replaceAll('<!-- -->', '')).toContain('We keep it for 10 years from shipping')
    expect(page).toMatch(/<label for="currentPassword"[^>]*>Password<\/label>/)
    const refused = await visitor.post('/account/delete', { currentPassword: 'wrong horse battery' })
    expect(refused.status).toBe(422)
    const html = await refused.text()
    expect(html).toContain('Nothing has been deleted yet')
    expect(html).not.toContain('wrong horse')
    expect(await countUsers(shop)).toBe(1)

    const done = await visitor.post('/account/delete', { currentPassword: 'correct horse battery' })
    expect([done.status, done.headers.get('location')]).toEqual([303, '/'])
    expect(visitor.cookies.has('session')).toBe(false)
    expect(await (await visitor.get('/')).text()).toContain('Account Deleted')
    expect((await second.get('/api/auth/user')).status).toBe(401)
    expect(await countUsers(shop)).toBe(0)
  })

  test('an admin sees who can delete their account', async () => {
    const shop = await openShop()
    const { visitor } = await signUp(shop, { isAdmin: true })
    expect(await (await visitor.get('/account/delete')).text()).not.toContain('<label for="email"')
    expect((await visitor.post('/account/delete', { email: 'x' })).status).toBe(409)
    expect(await countUsers(shop)).toBe(1)
  })
})
