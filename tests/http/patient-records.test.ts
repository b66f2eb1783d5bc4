import { addCareLists } from '#tests/support/alerts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { customer, fill, place, outcomeOf, readPage } from '#tests/support/checkout-page.ts'
import { mainOf, readMain } from '#tests/support/page-text.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { eachShop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

type Sent = { status: number; location: string | null; html: string; text: string }

/** Submits a form of a page without JavaScript. */
async function send(visitor: Visitor, path: string, fields: Record<string, string>): Promise<Sent> {
  const response = await visitor.post(path, fields)
  const html = await response.text()
  return { status: response.status, location: response.headers.get('location'), html, text: readMain(html) }
}

const idOf = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''

eachShop((openShopOf) => {
  const openShop = () => openShopOf({ catalog: 'empty' })

  test('without JavaScript, the lists take a name, a choice, what the text names, and no allergies', async () => {
    const shop = await openShop()
    await addCareLists(shop.db, new Date())
    const visitor = await customer(shop, {
      profile: { currentMedications: 'Lisinopril 10 mg and moonroot' },
    })
    const post = (fields: Record<string, string>) =>
      send(visitor, '/profile', { patientId: visitor.id, ...fields })
    const medications = { list: 'medications', intent: 'add-to-list' }
    const saved = { status: 303, location: '/profile#medication-list' }

    const profile = await readPage(visitor, '/profile')
    expect(profile).toMatch(/We don’t recognize “[^”]*moonroot”/)
    expect(profile).toMatch(/Update Profile Save what you typed above first\. .*Medication List/)
    expect(await post({ list: 'medications', intent: 'confirm-names' })).toMatchObject(saved)
    expect(await post({ ...medications, name: 'warfarin' })).toMatchObject(saved)

    const choice = await post({ ...medications, name: 'ibuprof' })
    expect(choice).toMatchObject({ status: 200, text: expect.stringContaining('Which one do you mean?') })
    const meaning = idOf(choice.html.slice(choice.html.indexOf('Which one do you mean?')), 'meaning')
    expect(await post({ ...medications, name: 'Ibuprofen', meaning })).toMatchObject(saved)
    const unknown = await post({ ...medications, name: 'Zorbex' })
    expect(unknown.text).toContain('We don’t recognize this name.')
    // Without scripts, the browser scrolls there: the lists are far below the top of the page.
    expect(unknown.html).toMatch(/autofocus=""[^>]*><p[^>]*>We don’t recognize this name/i)
    expect(await post({ ...medications, name: 'Zorbex', meaning: 'text' })).toMatchObject(saved)

    const long = await post({ ...medications, name: 'x'.repeat(500) })
    expect(long.status).toBe(422)
    expect(long.html).toMatch(/id="add-medications-error"/)
    expect(long.html).toMatch(/<input(?=[^>]*id="add-medications")[^>]*autofocus/i)
    expect(long.html).toContain('x'.repeat(500))

    const listed = await (await visitor.get('/profile')).text()
    expect(readMain(listed)).toMatch(
      /Lisinopril Remove.*Warfarin Remove.*Ibuprofen Remove.*Zorbex Not checked Remove/,
    )
    const entryId = idOf(listed, 'entryId')
    expect(await post({ list: 'medications', intent: 'remove-from-list', entryId })).toMatchObject(saved)
    expect(await readPage(visitor, '/profile')).not.toContain('Lisinopril Remove')

    expect(await post({ intent: 'no-allergies', none: 'yes' })).toMatchObject({
      status: 303,
      location: '/profile#allergy-list',
    })
    expect(await readPage(visitor, '/profile')).toContain('No known allergies Undo')
  })

  test('a person’s form submitted after its session ended keeps the input and saves nothing', async () => {
    const shop = await openShop()
    const visitor = await customer(shop)
    await shop.db.deleteFrom('sessions').execute()
    const typed = { firstName: 'Ida', dateOfBirth: '2015-05-05', allergies: 'Nuts' }
    const sent = await send(visitor, '/profile/people/new', typed)
    expect(sent.status).toBe(401)
    expect(sent.text).toContain('Sign in to continue.')
    expect(sent.html).toContain('href="/api/login?returnTo=%2Fprofile%2Fpeople%2Fnew" target="_blank"')
    expect(sent.html).toContain('>Nuts</textarea>')
    expect(sent.html).toMatch(/name="firstName"[^>]*value="Ida"/)
    const removal = await send(visitor, '/profile/people/new', { intent: 'remove-person' })
    expect(removal.location).toContain('/api/login')
  })

  test('a person’s form of another account is rejected', async () => {
    const shop = await openShop()
    const [first, second] = [await customer(shop), await customer(shop)]
    const shown = await (await first.get('/profile/people/new')).text()
    const userId = /name="userId" value="([^"]+)"/.exec(shown)?.[1] ?? ''
    expect(userId).toBe(first.id)
    const sent = await send(second, '/profile/people/new', {
      userId,
      firstName: 'Ida',
      dateOfBirth: '2015-05-05',
    })
    expect([sent.status, sent.html]).toEqual([
      409,
      expect.stringContaining('signed in to a different account'),
    ])
    expect(await readPage(second, '/profile')).not.toContain('Ida')
  })

  test('adding a person from an upload or checkout leads back there', async () => {
    const shop = await openShop()
    for (const [from, back, label] of [
      ['upload', '/prescriptions/upload', 'Continue to the upload'],
      ['upload-for-checkout', '/prescriptions/upload?from=checkout', 'Continue to the upload'],
      ['checkout', '/checkout', 'Continue to checkout'],
    ] as const) {
      const visitor = await customer(shop)
      const form = `/profile/people/new?from=${from}`
      const signedOut = await shop.visit().get(form)
      expect(signedOut.headers.get('location')).toBe(`/api/login?returnTo=${encodeURIComponent(form)}`)
      expect(await (await visitor.get(form)).text()).toMatch(
        new RegExp(`href="${back.replace('?', '.')}"[^>]*>Cancel<`),
      )
      const added = await send(visitor, form, { firstName: 'Ada', dateOfBirth: '2019-04-02' })
      const page = added.location ?? ''
      expect(page).toMatch(new RegExp(`^/profile/people/[\\w-]{36}[?]from=${from}$`))
      const link = new RegExp(`href="${back.replace('?', '.')}([?]for=[\\w-]{36})?"[^>]*>${label}<`)
      expect(await (await visitor.get(page)).text()).toMatch(link)
      const list = { list: 'medications', intent: 'add-to-list', name: 'Zorbex', meaning: 'text' }
      expect((await send(visitor, page, list)).location).toBe(`${page}#medication-list`)
    }
    const visitor = await customer(shop)
    const foreign = await (await visitor.get('/profile/people/new?from=//evil.example')).text()
    expect(foreign).toMatch(/href="\/profile#people"[^>]*>Cancel</)
    const plain = await send(visitor, '/profile/people/new?from=toString', {
      firstName: 'Ada',
      dateOfBirth: '2019-04-02',
    })
    expect(plain.location).toMatch(/^\/profile\/people\/[\w-]{36}$/)
    expect(await (await visitor.get(plain.location ?? '')).text()).not.toContain('Continue to')
  })

  test('without JavaScript, a customer adds a person and chooses them for an order and an upload', async () => {
    const shop = await openShop()
    const productId = await addProduct(shop.db, {
      category: 'OTC',
      name: 'Ibuprofen',
      ingredients: 'ibuprofen',
    })
    const variantId = await addVariant(shop.db, { productId })
    await addCareLists(shop.db, new Date())
    const visitor = await customer(shop)
    await fill(visitor, [variantId])
    for (const [page, from] of [
      ['/prescriptions/upload', 'upload'],
      ['/prescriptions/upload?from=checkout', 'upload-for-checkout'],
      ['/checkout', 'checkout'],
    ] as const) {
      const html = await (await visitor.get(page)).text()
      expect(mainOf(html)).toMatch(
        new RegExp(`href="/profile/people/new[?]from=${from}"[^>]*>Add a person you care for<`),
      )
    }
    const wrong = await send(visitor, '/profile/people/new', { firstName: 'Ada', dateOfBirth: '2999-01-01' })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toMatch(/id="dateOfBirth-error"/)
    expect(wrong.html).toMatch(/name="firstName"[^>]*value="Ada"|value="Ada"[^>]*name="firstName"/)

    const details = { firstName: 'Ada', dateOfBirth: '2019-04-02', currentMedications: 'Warfarin' }
    const added = await send(visitor, '/profile/people/new', details)
    const path = added.location ?? ''
    expect([added.status, path]).toEqual([303, expect.stringMatching(/^\/profile\/people\/[\w-]+$/)])
    const patientId = path.split('/').at(-1) ?? ''
    expect(await readPage(visitor, '/profile')).toContain('Ada')
    const loaded = /name="loaded" value="([^"]*)"/.exec(await (await visitor.get(path)).text())?.[1] ?? ''
    const page = { ...details, loaded: loaded.replaceAll('&quot;', '"') }
    await send(visitor, path, { ...page, allergies: 'Latex' })
    // The page that was opened earlier, with another change.
    expect(await send(visitor, path, { ...page, allergies: '', lastName: 'Marsh' })).toMatchObject({
      status: 303,
    })
    expect(await readPage(visitor, path)).toContain('Latex')
    const list = { list: 'medications', intent: 'add-to-list', name: 'Ibuprofen' }
    expect(await send(visitor, path, list)).toMatchObject({
      status: 303,
      location: `${path}#medication-list`,
    })
    expect(await readPage(visitor, path)).toContain('Ibuprofen Remove')
    expect((await (await customer(shop)).get(path)).status).toBe(404)

    const upload = await readPage(visitor, '/prescriptions/upload')
    expect(upload).toContain('Who is this prescription for?')
    expect(upload).toContain('Add a person you care for')
    await addPrescription(shop.db, visitor.id, { now: new Date(), patientId })
    expect(await readPage(visitor, '/prescriptions')).toContain('For Ada')

    const checkout = await readPage(visitor, '/checkout')
    expect(checkout).toContain('Who is this for?')
    expect(checkout).toContain('Add a person you care for')
    expect((await place(visitor, { patientId: 'x' })).status).not.toBe(303)
    // The form is shown again with what her record says, and she is still chosen.
    const asked = await place(visitor, { patientId })
    const form = await asked.text()
    expect(asked.status).toBe(422)
    expect(readMain(form)).toMatch(/For Ada Marsh: Ibuprofen.* and Warfarin Takes Warfarin\./)
    expect(form).toMatch(new RegExp(`<option[^>]*value="${patientId}"[^>]*selected`))
    const alertsRead = /name="alertsRead"[^>]*value="([^"]+)"/.exec(form)?.[1] ?? ''
    expect(outcomeOf(await place(visitor, { patientId, alertsRead }))).toBe('303 /order-history')
    expect(await send(visitor, path, { intent: 'remove-person' })).toMatchObject({
      status: 303,
      location: '/profile#people',
    })
    expect((await visitor.get(path)).status).toBe(404)
  })
})
