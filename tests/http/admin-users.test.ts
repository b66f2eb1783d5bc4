import { dependantSchema } from '#domain/patients/dependant-fields.ts'
import { userQuerySchema, type RoleResult, type UserRow } from '#domain/accounts/user-rows.ts'
import { ownAccessMessage } from '#server/accounts/change-access.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { ownRoleMessage } from '#server/accounts/set-roles.ts'
import { saveDependant } from '#server/patients/dependants.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { readMain } from '#tests/support/page-text.ts'
import { addPharmacist } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { appCode, turnOnSecondFactor } from '#tests/support/second-factor.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { callProcedure, errorOf, resultOf } from '#tests/support/trpc-calls.ts'
import { beforeAll, expect, test } from 'vitest'
import type { GridPage } from '#domain/grid.ts'

const password = 'correct horse battery'
const unknownId = '0190a6f2-1b2c-7d3e-8f4a-5b6c7d8e9f0a'

eachShop((openShop) => {
  let shop: Shop
  let adminId: string
  let admin: Visitor
  beforeAll(async () => {
    shop = await openShop({ catalog: 'empty' })
    adminId = await makeUser(shop.db, { isAdmin: true, email: 'chief@shop.example', lastName: 'Chief' })
    admin = shop.visit()
    await signInAs(admin, shop.db, adminId)
  })
  const call = (path: string, input: unknown) => callProcedure(admin, shop.origin, `users.${path}`, input)
  const list = async (params: Record<string, string>) =>
    (await resultOf(await call('list', params))) as GridPage<UserRow>
  const setRole = async (target: object, isAdmin: boolean) =>
    (await resultOf(await call('setRole', { target, isAdmin }))) as RoleResult[]
  const logOf = async (subjectId: string) => {
    const rows = await shop.db
      .selectFrom('auditLog')
      .select('action')
      .where('subjectId', '=', subjectId)
      .where('actorId', '=', adminId)
      .orderBy('id')
      .execute()
    return rows.map(({ action }) => action)
  }
  const page = async (path: string) => {
    const response = await admin.get(path)
    return { status: response.status, text: await response.text() }
  }

  test('the list is searched and filtered, the newest first, and the read is audited', async () => {
    const person = { firstName: 'Ottilie', lastName: 'Fernsby', profile: { allergies: 'Xanomeline' } }
    const first = await makeUser(shop.db, { ...person, email: 'ottilie@list.example' })
    const second = await makeUser(shop.db, { ...person, email: 'fernsby@list.example', isAdmin: true })
    const idsOf = async (params: Record<string, string>) => (await list(params)).rows.map(({ id }) => id)
    expect(await idsOf({ q: 'fern' })).toEqual([second, first])
    expect(await logOf(first)).toEqual(['account.listed'])
    expect(await idsOf({ q: 'Ottilie Fernsby', dir: 'asc' })).toEqual([first, second])
    expect(await idsOf({ q: 'ottilie@list.example' })).toEqual([first])
    expect(await idsOf({ q: 'fern', role: 'admins' })).toEqual([second])
    expect(await idsOf({ q: 'fern', role: 'users' })).toEqual([first])
    expect(await list({ q: 'no-such-name' })).toMatchObject({ rows: [], total: 0 })
    const text = JSON.stringify(await list({ q: 'fern' }))
    expect(text).toContain('"total":2')
    expect(text).not.toMatch(/Xanomeline|sealed|wrapped/)
  })

  test('pages contain every user, forward and backward', async () => {
    const surname = 'Pagington'
    for (let n = 0; n < 55; n++) await makeUser(shop.db, { lastName: surname })
    const first = await list({ q: surname })
    const next = await list({ q: surname, after: first.next ?? '' })
    expect([first.rows.length, next.rows.length, first.total]).toEqual([50, 5, 55])
    expect(new Set([...first.rows, ...next.rows].map(({ id }) => id)).size).toBe(55)
    const last = await list({ q: surname, last: '1' })
    expect(last.rows.at(-1)).toEqual(next.rows.at(-1))
    expect((await list({ q: surname, before: next.previous ?? '' })).rows).toEqual(first.rows)
  })

  test('the page renders its rows on the server, and a search by name is not in the URL', async () => {
    await makeUser(shop.db, { email: 'another@page.example' })
    await makeUser(shop.db, { firstName: 'Ludmilla', lastName: 'Harrowgate', email: 'ludmilla@page.example' })
    const { status, text } = await page('/admin/settings')
    expect(status).toBe(200)
    expect(text).toContain('Ludmilla Harrowgate')
    for (const label of ['Search users', 'Role filter', 'Admins', 'Users']) expect(text).toContain(label)
    expect(await page('/admin/settings?q=Ludmilla')).toMatchObject({
      text: expect.stringContaining('another@page.example') as string,
    })
    const posted = await admin.post('/admin/settings?role=users', { q: 'harrow' })
    expect(posted.status).toBe(200)
    const found = await posted.text()
    expect(found).toContain('ludmilla@page.example')
    expect(found).not.toContain('another@page.example')
    expect(found).toMatch(/<input[^>]*value="harrow"/)
    expect(found).not.toMatch(/(href|action)="[^"]*harrow/)
    expect((await page('/admin/settings?role=users&after=x')).text).toMatch(
      /<form role="search"[^>]* action="\/admin\/settings\?role=users"/,
    )
    expect(JSON.stringify(shop.log)).not.toMatch(/harrow/i)
  })

  test('roles change one by one or in bulk, with an error per user', async () => {
    const [one, two] = [await makeUser(shop.db), await makeUser(shop.db, { isAdmin: true })]
    const results = await setRole({ ids: [one, two, adminId, unknownId] }, true)
    expect(results.map(({ error, isChanged }) => [error, isChanged])).toEqual([
      [null, true],
      [null, false],
      [null, false],
      ['User not found', false],
    ])
    const removed = await setRole({ ids: [one, adminId] }, false)
    expect(removed.map(({ error }) => error)).toEqual([null, ownRoleMessage])
    expect(removed[1]?.name).toBe('Zoë Chief')
    const roles = await shop.db
      .selectFrom('users')
      .select(['id', 'roles'])
      .where('id', 'in', [one, two, adminId])
      .execute()
    expect(new Map(roles.map(({ id, roles }) => [id, roles]))).toEqual(
      new Map([
        [one, ''],
        [two, 'admin'],
        [adminId, 'admin'],
      ]),
    )
    const change = ['account.listed', 'role.changed']
    expect(await logOf(one)).toEqual([...change, ...change])
  })

  test('all matching users change at once, up to a thousand', async () => {
    const [one, two] = [
      await makeUser(shop.db, { lastName: 'Matchingham' }),
      await makeUser(shop.db, { lastName: 'Matchingham' }),
    ]
    const query = { q: 'matchingham', role: 'users', after: '["x","x"]' }
    const results = await setRole({ query }, true)
    expect(results.map(({ id }) => id).toSorted()).toEqual([one, two].toSorted())
    expect((await list({ q: 'matchingham', role: 'admins' })).total).toBe(2)
    const many = Array.from({ length: 1001 }, (_, n) => `${unknownId}${n}`)
    for (const target of [{ ids: many }, { ids: [] }, {}, { ids: [one], query: {} }]) {
      const refused = await errorOf(await call('setRole', { target, isAdmin: true }))
      expect(refused.status).toBe(422)
    }
    expect((await list({ role: 'admins', q: 'pagington' })).total).toBe(0)
  })

  test('access changes in bulk with a reason; a suspended user’s session and password open nothing', async () => {
    const email = 'suspended@list.example'
    const passwordHash = await hashPassword(password)
    const [id, other] = [
      await makeUser(shop.db, { email, passwordHash, lastName: 'Halloway' }),
      await makeUser(shop.db, { lastName: 'Halloway' }),
    ]
    const customer = shop.visit()
    await signInAs(customer, shop.db, id)
    const mine = () => customer.get('/api/auth/user').then(({ status }) => status)
    const signIn = () => shop.visit().post('/login', { email, password })
    const change = (target: object, change: string, reason = 'Card testing') =>
      call('changeAccess', { target, change, reason })
    expect(await errorOf(await change({ ids: [id] }, 'suspend', ' '))).toMatchObject({
      status: 422,
      fields: { reason: 'Enter a reason.' },
    })
    expect(await mine()).toBe(200)
    const results = (await resultOf(await change({ ids: [id, other, adminId] }, 'suspend'))) as RoleResult[]
    expect(results.map(({ error }) => error)).toEqual([null, null, ownAccessMessage])
    expect([await mine(), await mine()]).toEqual([401, 401])
    const refused = await signIn()
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('This account is suspended.')
    const query = { q: 'halloway', status: 'suspended' }
    expect((await list(query)).rows.map((row) => [row.id, row.isSuspended])).toEqual([
      [other, true],
      [id, true],
    ])
    expect((await page(`/admin/users/${id}?tab=sign-ins`)).text).toContain('Card testing')
    await resultOf(await change({ query }, 'restore'))
    expect(await list(query)).toMatchObject({ total: 0 })
    expect((await signIn()).status).toBe(303)
  })

  test('what a customer is refused is in the audit log', async () => {
    const id = await makeUser(shop.db)
    const order = await placeOrder(shop.db, await makeUser(shop.db))
    const customer = shop.visit()
    await signInAs(customer, shop.db, id)
    const refusals = async () => {
      const log = shop.db.selectFrom('auditLog').select('objectId').where('subjectId', '=', id)
      const rows = await log.where('action', '=', 'access.refused').orderBy('id').execute()
      return rows.map(({ objectId }) => objectId)
    }
    const anyone = await makeUser(shop.db)
    for (const path of [`/orders/${order.id}`, `/api/users/${anyone}`, '/admin/settings', '/api/users']) {
      await customer.get(path)
    }
    await callProcedure(customer, shop.origin, 'users.list', {})
    for (const path of [`/orders/${unknownId}x`, '/orders', '/products/none']) await customer.get(path)
    expect(await refusals()).toEqual([order.id, anyone, '3', '4', '5'])
  })

  test('each tab of a user shows only its data, and each view is audited', async () => {
    const id = await makeUser(shop.db, {
      firstName: 'Perpetua',
      lastName: 'Vale',
      profile: { allergies: 'Xanomeline', cellPhone: '+1 555 0177', shippingStreet: '9 Quarry Rise' },
    })
    const prescription = await addPrescription(shop.db, id, { doctorName: 'Dr. Tabitha Munro' })
    const order = await placeOrder(shop.db, id)
    const contentByTab = {
      profile: '+1 555 0177',
      medical: 'Xanomeline',
      addresses: '9 Quarry Rise',
      prescriptions: 'Dr. Tabitha Munro',
      orders: `/admin/orders/${order.id}`,
      'sign-ins': 'created the account',
    }
    const actions = {
      profile: 'profile.read',
      medical: 'profile.read',
      addresses: 'addresses.read',
      prescriptions: 'prescriptions.read',
      orders: 'orders.read',
      'sign-ins': 'sign-ins.read',
    }
    for (const [tab, content] of Object.entries(contentByTab)) {
      const before = await logOf(id)
      const { status, text } = await page(`/admin/users/${id}?tab=${tab}`)
      expect(status, tab).toBe(200)
      expect(text).toContain('Perpetua Vale')
      expect(text, tab).toContain(content)
      for (const [other, elsewhere] of Object.entries(contentByTab)) {
        if (other !== tab) expect(text, `${tab} shows ${other}`).not.toContain(elsewhere)
      }
      expect((await logOf(id)).slice(before.length), tab).toEqual([actions[tab as keyof typeof actions]])
    }
    await saveDependant(
      testContext(shop.db, { user: signedIn(id) }),
      dependantSchema(new Date()).parse({
        firstName: 'Sofia',
        dateOfBirth: '2015-05-05',
        currentMedications: 'Zorbex',
      }),
    )
    const before = await logOf(id)
    const medical = readMain((await page(`/admin/users/${id}?tab=medical`)).text)
    expect(medical).toMatch(
      /Allergy list Not checked: Xanomeline .*In their care: Sofia .*Medication list Not checked: Zorbex/,
    )
    expect((await logOf(id)).slice(before.length)).toEqual(['profile.read'])
    const { text } = await page(`/admin/users/${id}?tab=prescriptions`)
    expect(text).toContain(`href="/api/prescriptions/${prescription.id}/file"`)
    expect((await page(`/admin/users/${id}`)).text).toContain(`href="/api/users/${id}/id-document"`)
    expect((await page(`/admin/users/${id}?tab=nothing`)).text).toContain(contentByTab.profile)
  })

  test('an unknown user is a 404 with a message, whatever the id', async () => {
    for (const id of [unknownId, 'x', '%00', `${unknownId}?tab=orders`]) {
      const { status, text } = await page(`/admin/users/${id}`)
      expect(status, id).toBe(404)
      expect(text).toContain('User not found')
      expect(text).toContain('href="/admin/settings"')
    }
  })

  test('a profile edit reports invalid fields, and a stale edit gets the current profile', async () => {
    const id = await makeUser(shop.db, { firstName: 'Agnes', profile: { allergies: 'Latex' } })
    const read = (await resultOf(await call('profile', { id }))) as { version: number }
    const wrong = { id, version: read.version, weight: -1, dateOfBirth: '2999-01-01', firstName: 'Edith' }
    expect(await errorOf(await call('update', wrong))).toMatchObject({
      status: 422,
      fields: { weight: expect.any(String) as string, dateOfBirth: expect.any(String) as string },
    })
    const right = { id, version: read.version, firstName: ' Edith ', weight: 150.5, gender: 'female' }
    expect(await resultOf(await call('update', right))).toMatchObject({
      person: { firstName: 'Edith', weight: 150.5, gender: 'female', allergies: 'Latex' },
    })
    const stale = await errorOf(await call('update', { ...right, firstName: 'Eve' }))
    expect(stale).toMatchObject({ status: 409, current: { person: { firstName: 'Edith' } } })
    const again = (await resultOf(await call('profile', { id }))) as { version: number }
    expect(again).toMatchObject({ version: (stale.current as { version: number }).version })
    expect(await list({ q: 'Edith' })).toMatchObject({ total: 1 })
  })

  test('an admin can delete other users with their data, but not their own account', async () => {
    const id = await makeUser(shop.db, { lastName: 'Shortlived' })
    expect(await resultOf(await call('delete', { id }))).toBeUndefined()
    expect(await list({ q: 'Shortlived' })).toMatchObject({ rows: [], total: 0 })
    expect((await page(`/admin/users/${id}`)).status).toBe(404)
    expect(await errorOf(await call('delete', { id }))).toMatchObject({ status: 404 })
    expect(await errorOf(await call('delete', { id: adminId }))).toMatchObject({
      status: 409,
      message: expect.stringContaining('can’t delete your own account') as string,
    })
    expect((await page('/admin/settings')).status).toBe(200)
  })

  test('without scripts, removing a license asks first when prescription orders stop shipping', async () => {
    const own = await openShop({ catalog: 'empty' })
    const admin = own.visit()
    await signInAs(admin, own.db, await makeUser(own.db, { isAdmin: true }))
    const pharmacists = [await addPharmacist(own.db), await addPharmacist(own.db)]
    const id = pharmacists[0]?.user?.id ?? ''
    const setting = { name: 'twoPharmacists', value: 'true', updatedAt: new Date() } as const
    await own.db.insertInto('settings').values(setting).execute()
    const read = async (path: string) => readMain(await (await admin.get(path)).text())
    const title = 'Orders with prescription medicines can’t ship'
    expect(await read('/admin')).not.toContain(title)
    expect(await read(`/admin/users/${id}`)).toMatch(/the shop requires a second check\. There are 2 now\./)
    const refused = await admin.post(`/admin/users/${id}`, { intent: 'remove-license' })
    expect(refused.status).toBe(409)
    expect(readMain(await refused.text())).toContain('Confirm that prescription orders won’t ship.')
    const wrongCode = { isConfirmed: 'on', number: 'RPH-0150', code: '0'.repeat(101) }
    for (const intent of ['remove-license', 'record-license']) {
      const again = await (await admin.post(`/admin/users/${id}`, { intent, ...wrongCode })).text()
      expect(again, intent).toMatch(/<input[^>]* name="isConfirmed"[^>]* checked=""/)
      expect(again, intent).toMatch(/<input[^>]* name="number"[^>]* value="RPH-0150"/)
    }
    const ask = (path: string, input: object) =>
      callProcedure(admin, own.origin, `users.${path}`, { id, ...input })
    for (const [path, input] of Object.entries({
      delete: {},
      setRoles: { before: ['pharmacist'], roles: [] },
      changeAccess: { target: { ids: [id] }, change: 'suspend', reason: 'On leave.' },
    })) {
      expect(await errorOf(await ask(path, input)), path).toMatchObject({
        status: 409,
        code: 'CONFIRMATION_REQUIRED',
      })
    }
    const removed = await admin.post(`/admin/users/${id}`, { intent: 'remove-license', isConfirmed: 'on' })
    expect(removed.status).toBe(303)
    for (const path of ['/admin', '/admin/status']) expect(await read(path)).toContain(title)
  })

  test('two-step sign-in is reset from the list, and from the user’s page without scripts', async () => {
    const add = () => makeUser(shop.db, { roles: ['pharmacist'], lastName: 'Phoneless' })
    const [id, other] = [await add(), await add()]
    const turnOn = (userId: string) => turnOnSecondFactor(shop.db, userId, new Date())
    await turnOn(id)
    await turnOn(other)
    const statesOf = async () =>
      (await list({ q: 'Phoneless' })).rows.map((row) => [row.id, row.hasSecondFactor])
    expect(await statesOf()).toEqual([
      [other, true],
      [id, true],
    ])
    const reason = 'Dana came to the office with a passport.'
    const refused = { status: 422, fields: { reason: 'Enter how you identified the person.' } }
    for (const missing of [{}, { reason: ' ' }]) {
      expect(await errorOf(await call('resetSecondFactor', { id, ...missing }))).toMatchObject(refused)
    }
    const tooLong = { reason: 'x'.repeat(501) }
    expect(await errorOf(await call('resetSecondFactor', { id, ...tooLong }))).toMatchObject({ status: 422 })
    expect(await resultOf(await call('resetSecondFactor', { id, reason }))).toBeUndefined()
    expect(await errorOf(await call('resetSecondFactor', { id, reason }))).toMatchObject({
      status: 409,
      message: expect.stringContaining('already reset') as string,
    })
    expect((await page(`/admin/users/${id}?tab=sign-ins`)).text).toContain(reason)

    const ownId = await makeUser(shop.db, { isAdmin: true })
    const { secret } = await turnOn(ownId)
    const own = shop.visit()
    await signInAs(own, shop.db, ownId)
    const read = async (path: string) => await (await own.get(path)).text()
    const form = 'value="reset-second-factor"'
    const path = `/admin/users/${other}`
    expect(await read(path)).toContain(form)
    for (const without of [id, ownId]) expect(await read(`/admin/users/${without}`)).not.toContain(form)
    const byOwn = await callProcedure(own, shop.origin, 'users.resetSecondFactor', { id: other, reason })
    expect(await errorOf(byOwn)).toMatchObject({ code: 'CODE_REQUIRED' })
    const post = (fields: object) => own.post(path, { intent: 'reset-second-factor', ...fields })
    const empty = await post({ reason: '', code: '' })
    expect(empty.status).toBe(422)
    const shown = await empty.text()
    expect(shown).toMatch(/<a href="#reset-reason"[^>]*>Enter how you identified the person\.<\/a>/)
    expect(shown).toMatch(/<details open=""/)
    // The license form of the page does not show it too.
    expect(shown.match(/Nothing has changed yet/g)).toHaveLength(1)
    const wrong = await post({ reason, code: '000000x' })
    expect(wrong.status).toBe(422)
    const again = await wrong.text()
    expect(again).toContain('This code is incorrect or was already used.')
    expect(again).toContain(reason)
    expect(again).not.toContain('000000x')
    expect(await statesOf()).toContainEqual([other, true])
    const code = appCode(secret, new Date(Date.now() + 30_000))
    const done = await post({ reason, code })
    expect([done.status, done.headers.get('location')]).toEqual([303, path])
    expect(await statesOf()).toEqual([
      [other, false],
      [id, false],
    ])
    // Sent twice: the page that comes back has no other trace of the form.
    const twice = await post({ reason })
    expect(twice.status).toBe(409)
    expect(readMain(await twice.text())).toContain('is off for this account. It was already reset')
  })

  test('unknown query parameters are ignored', () => {
    expect(userQuerySchema.parse({ role: 'chiefs', sort: 'name', size: '7', after: 'x' })).toMatchObject({
      sort: 'joined',
      dir: 'desc',
      size: 50,
    })
  })
})
