import { newId } from '#domain/ids.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

const profile = {
  weight: 146.5,
  allergies: 'Penicillin',
  shippingStreet: '12 Harbour Lane',
  shippingZip: '04101',
  billingStreet: '3 Mill Road',
}

async function signUp(shop: Shop, overrides: Parameters<typeof makeUser>[1] = { profile }): Promise<Visitor> {
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, await makeUser(shop.db, overrides))
  return visitor
}

const pageOf = async (visitor: Visitor): Promise<string> => (await visitor.get('/profile')).text()
const userOf = async (visitor: Visitor): Promise<unknown> => (await visitor.get('/api/auth/user')).json()

/** The HTML tag of a field, by its name. */
const tagOf = (html: string, name: string): string =>
  new RegExp(`<(?:input|select|textarea)[^>]*\\bname="${name}"[^>]*>`).exec(html)?.[0] ?? ''

/** The value of a hidden field. */
const hiddenValue = (html: string, name: string): string =>
  (/value="([^"]*)"/.exec(tagOf(html, name))?.[1] ?? '').replaceAll('&quot;', '"')

eachShop((openShopOf) => {
  const openShop = () => openShopOf({ catalog: 'empty' })

  test('a visitor is redirected home', async () => {
    const shop = await openShop()
    const response = await shop.visit().get('/profile')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/'])
  })

  test('the page has every field with its documented label, filled from the profile', async () => {
    const shop = await openShop()
    const visitor = await signUp(shop)
    const response = await visitor.get('/profile')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const html = await response.text()
    expect(html).toContain('<title>My Profile | Meridian</title>')
    for (const title of [
      'Personal Information',
      'Shipping Address',
      'Billing Address',
      'Prescription Management',
      'ID Document Verification',
    ]) {
      expect(html).toMatch(new RegExp(`<h2[^>]*>(?:<span[^]*?</span>)?${title}</h2>`))
    }
    for (const [name, label, autocomplete] of [
      ['firstName', 'First name', 'given-name'],
      ['lastName', 'Last name', 'family-name'],
      ['gender', 'Gender', 'sex'],
      ['dateOfBirth', 'Date of birth', 'bday'],
      ['cellPhone', 'Cell phone', 'mobile tel'],
      ['homePhone', 'Home phone', 'home tel'],
      ...(['shipping', 'billing'] as const).flatMap((side) => [
        [`${side}StreetAddress`, 'Street', `${side} address-line1`] as const,
        [`${side}City`, 'City', `${side} address-level2`] as const,
        [`${side}StateProvince`, 'State/Province', `${side} address-level1`] as const,
        [`${side}Country`, 'Country', `${side} country-name`] as const,
        [`${side}ZipCode`, 'ZIP code', `${side} postal-code`] as const,
      ]),
    ] as const) {
      expect(html).toContain(`<label for="${name}" class="mb-1 block font-medium">${label}</label>`)
      expect(tagOf(html, name).toLowerCase()).toContain(`autocomplete="${autocomplete}"`)
    }
    expect(tagOf(html, 'weight')).toMatch(/type="number".*step="0\.1".*value="146\.5"/)
    expect(html).toContain('Necessary for SMS tracking')
    for (const label of ['Male', 'Female', 'Other', 'Prefer not to say']) {
      expect(html).toContain(`>${label}</option>`)
    }
    expect(html).toMatch(/<textarea[^>]*name="allergies"[^>]*>Penicillin<\/textarea>/)
    expect(tagOf(html, 'shippingStreetAddress')).toContain('value="12 Harbour Lane"')
    expect(html).toContain('No prescriptions uploaded yet')
    expect(html).toContain('No ID document uploaded yet')
    for (const path of ['/prescriptions', '/prescriptions/upload']) expect(html).toContain(`href="${path}"`)
  })

  test('the billing checkbox is checked unless the stored billing address differs', async () => {
    const shop = await openShop()
    const differs = await pageOf(await signUp(shop))
    expect(tagOf(differs, 'billingSameAsShipping')).not.toContain('checked')
    const same = await pageOf(await signUp(shop, {}))
    expect(tagOf(same, 'billingSameAsShipping')).toContain('checked=""')
  })

  test('a page that was open for a while overwrites nothing that was saved in the meantime', async () => {
    const shop = await openShop()
    const visitor = await signUp(shop)
    const loaded = hiddenValue(await pageOf(visitor), 'loaded')
    const saved = { allergies: 'Penicillin, latex', shippingStreet: '9 Quay' }
    const elsewhere = { method: 'PATCH', headers: { 'content-type': 'application/json' } }
    await visitor.request('/api/profile', { ...elsewhere, body: JSON.stringify(saved) })
    const opened = { allergies: 'Penicillin', shippingStreetAddress: '12 Harbour Lane', weight: '146.5' }
    const typed = { ...opened, cellPhone: '555 0199', loaded }
    expect((await visitor.post('/profile', typed)).status).toBe(303)
    expect(await userOf(visitor)).toMatchObject({ ...saved, weight: 146.5, cellPhone: '555 0199' })

    // What was changed on the page is saved, and what was typed survives an error.
    const wrong = await visitor.post('/profile', { ...typed, allergies: '', dateOfBirth: '2999-01-01' })
    expect(hiddenValue(await wrong.text(), 'loaded')).toBe(loaded)
    expect((await visitor.post('/profile', { ...typed, allergies: '' })).status).toBe(303)
    expect(await userOf(visitor)).toMatchObject({ allergies: null, shippingStreet: '9 Quay' })
    expect((await visitor.post('/profile', { ...typed, loaded: '{' })).status).toBe(400)
  })

  test('a saved form shows the documented message; blank clears a field, missing fields stay', async () => {
    const shop = await openShop()
    const visitor = await signUp(shop)
    const response = await visitor.post('/profile', {
      firstName: ' Zoë ',
      lastName: '',
      weight: '',
      gender: 'other',
      dateOfBirth: '1984-03-12',
      shippingStreetAddress: '9 Quay',
      billingStreetAddress: '4 Mill Road',
    })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/profile'])
    const html = await pageOf(visitor)
    expect(html).toContain('Profile Updated')
    expect(html).toContain('Your profile has been updated successfully')
    expect(await userOf(visitor)).toMatchObject({
      firstName: 'Zoë',
      lastName: null,
      weight: null,
      gender: 'other',
      dateOfBirth: '1984-03-12',
      allergies: 'Penicillin',
      shippingStreet: '9 Quay',
      shippingZip: '04101',
      billingStreet: '4 Mill Road',
    })
  })

  test('a checked billing checkbox copies the shipping address, whatever the hidden fields hold', async () => {
    const shop = await openShop()
    const visitor = await signUp(shop)
    const shipping = {
      shippingStreetAddress: '9 Quay',
      shippingCity: 'Bath',
      shippingStateProvince: 'ME',
      shippingCountry: 'United States',
      shippingZipCode: '',
    }
    const hidden = { billingStreetAddress: 'x'.repeat(500), billingZipCode: '99999' }
    const response = await visitor.post('/profile', { ...shipping, ...hidden, billingSameAsShipping: 'on' })
    expect(response.status).toBe(303)
    expect(await userOf(visitor)).toMatchObject({
      billingStreet: '9 Quay',
      billingCity: 'Bath',
      billingState: 'ME',
      billingCountry: 'United States',
      billingZip: null,
    })
    expect(tagOf(await pageOf(visitor), 'billingSameAsShipping')).toContain('checked=""')
  })

  test('an invalid form is a 422 that names the fields and keeps the input', async () => {
    const shop = await openShop()
    const visitor = await signUp(shop)
    const before = await userOf(visitor)
    const response = await visitor.post('/profile', {
      firstName: 'Zoë <b>',
      weight: 'abc',
      dateOfBirth: '2999-01-01',
      gender: 'female',
      allergies: 'Nuts',
      shippingZipCode: '12345',
      billingSameAsShipping: 'on',
    })
    expect(response.status).toBe(422)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const html = await response.text()
    expect(html).toContain('Update Failed')
    expect(html).toContain('Failed to update profile')
    for (const name of ['weight', 'dateOfBirth']) {
      expect(html).toMatch(new RegExp(`<a href="#${name}"`))
      expect(html).toMatch(new RegExp(`id="${name}-error"`))
      expect(tagOf(html, name)).toContain('aria-invalid="true"')
    }
    expect(tagOf(html, 'firstName')).toContain('value="Zoë &lt;b&gt;"')
    expect(tagOf(html, 'shippingZipCode')).toContain('value="12345"')
    expect(tagOf(html, 'billingSameAsShipping')).toContain('checked=""')
    expect(html).toMatch(/<option value="female" selected="">/)
    expect(html).toContain('>Nuts</textarea>')
    expect(await userOf(visitor)).toEqual(before)
  })

  test('a save that fails keeps the form and the person; so does a page without its cart', async () => {
    const shop = await openShop()
    const visitor = await signUp(shop)
    const { email } = (await userOf(visitor)) as { email: string }
    const rename = (from: string, to: string) => shop.db.schema.alterTable(from).renameTo(to).execute()
    await rename('personTokens', 'personTokensAway')
    const failed = await visitor.post('/profile', { firstName: 'Zoë', shippingZipCode: '12345' })
    await rename('personTokensAway', 'personTokens')
    expect(failed.status).toBe(500)
    const html = await failed.text()
    for (const text of ['<h1', 'My Profile', 'Update Failed', 'Failed to update profile', email]) {
      expect(html).toContain(text)
    }
    expect(tagOf(html, 'firstName')).toContain('value="Zoë"')
    expect(tagOf(html, 'shippingZipCode')).toContain('value="12345"')

    await rename('accountCartLines', 'accountCartLinesAway')
    const noCart = await visitor.get('/faq')
    await rename('accountCartLinesAway', 'accountCartLines')
    expect(noCart.status).toBe(500)
    expect(await noCart.text()).toContain(email)
  })

  test('the weight on file is named in both units beside the field, whichever unit is chosen', async () => {
    const shop = await openShop()
    const visitor = await signUp(shop, {})
    expect(await (await visitor.get('/profile')).text()).toContain('In pounds (lb), or choose kg')
    expect((await visitor.post('/profile', { weight: '70', weightUnit: 'kg' })).status).toBe(303)
    expect(await (await visitor.get('/profile')).text()).toContain(
      'On file: 154.3 lb (70 kg). Enter it in the unit you choose.',
    )
  })

  test('a form submitted after its session ended keeps the input and saves nothing', async () => {
    const shop = await openShop()
    const visitor = await signUp(shop)
    await shop.db.deleteFrom('sessions').execute()
    const response = await visitor.post('/profile', { allergies: 'Nuts', lastName: 'Quill' })
    expect(response.status).toBe(401)
    const html = await response.text()
    expect(html).toContain('Sign in to continue.')
    expect(html).toContain('href="/api/login?returnTo=%2Fprofile" target="_blank"')
    expect(html).toContain('>Nuts</textarea>')
    expect(tagOf(html, 'lastName')).toContain('value="Quill"')
    expect(html).not.toContain('Harbour Lane')
  })

  test('a list’s form submitted after its session ended shows no empty profile to save', async () => {
    const shop = await openShop()
    const visitor = await signUp(shop)
    await shop.db.deleteFrom('sessions').execute()
    const list = { intent: 'add-to-list', list: 'allergies', patientId: newId(), name: 'Penicillin' }
    const response = await visitor.post('/profile', list)
    expect([response.status, response.headers.get('location')]).toEqual([302, '/'])
  })

  test('a profile form of another account is rejected every time', async () => {
    const shop = await openShop()
    const visitor = await signUp(shop)
    const fields = { userId: /name="userId" value="([^"]+)"/.exec(await pageOf(visitor))?.[1] ?? '' }
    expect(fields.userId).not.toBe('')
    await signInAs(visitor, shop.db, await makeUser(shop.db, { profile: { allergies: 'Latex' } }))
    const response = await visitor.post('/profile', { ...fields, allergies: 'Penicillin' })
    expect(response.status).toBe(409)
    const html = await response.text()
    expect(html).toContain('signed in to a different account')
    expect(html).toContain('>Penicillin</textarea>')
    expect(tagOf(html, 'userId')).toContain(`value="${fields.userId}"`)
    expect(await userOf(visitor)).toMatchObject({ allergies: 'Latex' })
  })

  test('each view of the page is audited', async () => {
    const shop = await openShop()
    const visitor = await signUp(shop)
    await visitor.get('/profile')
    await visitor.get('/profile.data')
    const log = shop.db.selectFrom('auditLog').select('action').where('action', '=', 'profile.read')
    expect(await log.execute()).toHaveLength(2)
  })
})
