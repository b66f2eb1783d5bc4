import { headingsOf, mainOf, readMain } from '#tests/support/page-text.ts'
import { person, json, statusOf } from '#tests/support/prescription-pages.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { eachShop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

eachShop((openShopOf) => {
  const openShop: typeof openShopOf = (options) => openShopOf({ catalog: 'empty', ...options })

  test('signed-out visitors see the sign-in prompt on both pages', async () => {
    const shop = await openShop()
    for (const path of ['/prescriptions', '/prescriptions/upload', '/prescriptions/upload?from=checkout']) {
      const response = await shop.visit().get(path)
      expect(response.status).toBe(200)
      const html = await response.text()
      expect(headingsOf(html, 1)).toEqual(['Authentication Required'])
      expect(readMain(html)).toContain('Please sign in to upload prescriptions')
      expect(html).toContain(`href="/api/login?returnTo=${encodeURIComponent(path)}"`)
    }
  })

  test('a form of another account turns no reminders on or off', async () => {
    const shop = await openShop()
    const [shown, current] = [await person(shop), await person(shop)]
    const post = (by: Visitor, intent: string, userId: string) =>
      by.request('/prescriptions', {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ intent, userId }),
      })
    const reminders = () => shop.db.selectFrom('refillReminders').select('userId').execute()
    await post(current, 'reminders-on', shown.id)
    expect(await (await current.get('/prescriptions')).text()).toContain('signed in to a different account')
    expect(await reminders()).toEqual([])
    expect(await statusOf(post(shown, 'reminders-on', shown.id))).toBe(303)
    expect(await statusOf(post(current, 'reminders-on', current.id))).toBe(303)
    const page = await (await shown.get('/prescriptions')).text()
    const form = /<input type="hidden" name="userId".*?Turn off reminders/s.exec(page)?.[0]
    expect(form).toContain(`value="${shown.id}"`)
    await post(current, 'reminders-off', shown.id)
    expect(await reminders()).toHaveLength(2)
  })

  test('a cut link of a reminder’s mail does not claim that the reminders are off', async () => {
    const shop = await openShop()
    const owner = await person(shop)
    await owner.post('/prescriptions', { intent: 'reminders-on', userId: owner.id })
    const page = await shop.visit().get('/refill-reminders/stop?token=x')
    expect(page.status).toBe(404)
    expect(readMain(await page.text())).toContain(
      'already off, or the link is incomplete. My Prescriptions shows whether they’re on.',
    )
    const sent = await shop.visit().post('/refill-reminders/stop', { token: 'x' })
    expect([sent.status, readMain(await sent.text())]).toEqual([
      404,
      expect.stringContaining('or the link is incomplete'),
    ])
    expect(await shop.db.selectFrom('refillReminders').select('userId').execute()).toHaveLength(1)
  })

  test('reminders that are switched after the session ended lead to sign-in and back', async () => {
    const shop = await openShop()
    for (const intent of ['reminders-on', 'reminders-off']) {
      const { status, headers } = await shop.visit().post('/prescriptions', { intent })
      expect([intent, status, headers.get('location')]).toEqual([
        intent,
        303,
        '/api/login?returnTo=%2Fprescriptions',
      ])
    }
  })

  test('the list shows status, dates and reason of each prescription and is not cached', async () => {
    const shop = await openShop()
    const [owner, other, admin] = [
      await person(shop),
      await person(shop),
      await person(shop, { isAdmin: true }),
    ]
    const empty = readMain(await (await owner.get('/prescriptions')).text())
    expect(empty).toContain('My Prescriptions')
    expect(empty).toContain('No prescriptions uploaded yet')

    const now = new Date('2026-01-05T23:30:00Z')
    const { id } = await addPrescription(shop.db, owner.id, { now, notes: 'one <b>two</b>' })
    await addPrescription(shop.db, owner.id, { now, doctorName: null, expiryDate: '2026-01-09' })
    await json(admin, 'PATCH', `/api/prescriptions/${id}`, {
      status: 'rejected',
      statusReason: 'No signature',
    })
    const response = await owner.get('/prescriptions')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const html = await response.text()
    expect(html).toContain('<title>My Prescriptions | Meridian</title>')
    expect(headingsOf(html, 2)).toEqual(['Prescription from Jan 5, 2026', 'Dr. Ada Quillfeather'])
    const text = readMain(html)
    for (const shown of [
      'Rejected',
      'Reason: No signature',
      'Expired',
      'Jan 2, 2026',
      'Jan 9, 2026',
      'one &lt;b&gt;two&lt;/b&gt;',
    ]) {
      expect(text).toContain(shown)
    }
    expect(html).toContain(`href="/api/prescriptions/${id}/file"`)
    expect(mainOf(html)).toContain('href="/prescriptions/upload"')
    expect(readMain(await (await other.get('/prescriptions')).text())).toContain(
      'No prescriptions uploaded yet',
    )
  })

  test('without JavaScript a deletion is confirmed on a page, and repeating it is no error', async () => {
    const shop = await openShop()
    const [owner, other] = [await person(shop), await person(shop)]
    const { id } = await addPrescription(shop.db, owner.id, { now: new Date() })
    const confirmation = await (await owner.get(`/prescriptions?delete=${id}`)).text()
    expect(headingsOf(confirmation, 2)).toContain('Delete this prescription?')
    expect(readMain(confirmation)).toMatch(/Cancel Delete/)
    expect(readMain(await (await other.get(`/prescriptions?delete=${id}`)).text())).not.toContain(
      'Delete this',
    )

    const form = { intent: 'delete', id }
    const post = async (visitor: Visitor): Promise<string> => {
      const response = await visitor.post('/prescriptions', form)
      expect([response.status, response.headers.get('location')]).toEqual([303, '/prescriptions'])
      return (await visitor.get('/prescriptions')).text()
    }
    expect(await post(other)).not.toContain('Prescription Deleted')
    await shop.db.schema.alterTable('auditLog').renameTo('auditLogAway').execute()
    await owner.post('/prescriptions', form)
    await shop.db.schema.alterTable('auditLogAway').renameTo('auditLog').execute()
    const failed = await (await owner.get('/prescriptions')).text()
    expect(failed).toContain('Failed to delete prescription')
    expect(headingsOf(failed, 2)).toContain('Dr. Ada Quillfeather')
    expect(await post(owner)).toContain('Prescription Deleted')
    expect(await post(owner)).not.toContain('Failed to delete prescription')
    expect(await shop.db.selectFrom('prescriptions').select('id').execute()).toEqual([])
    const signedOut = await post(shop.visit())
    expect(signedOut).toContain('Failed to delete prescription')
    expect(await statusOf(owner.post('/prescriptions', { id }))).toBe(400)
  })

  test('a failed list shows the documented error with Retry', async () => {
    const shop = await openShop()
    const owner = await person(shop)
    await shop.db.schema.alterTable('prescriptions').renameTo('prescriptions_away').execute()
    const response = await owner.get('/prescriptions')
    expect(response.status).toBe(500)
    const text = readMain(await response.text())
    expect(text).toContain('Failed to load prescriptions. Please try refreshing.')
    expect(text).toContain('Retry')
  })
})
