import { testDay } from '#tests/support/catalog.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const written = {
  name: 'Zebedee Quillfeather',
  email: 'zebedee@customer.example',
  message: 'Where is my parcel of xanomeline?\n\nThank you & <b>bye</b>',
}

/** The hidden field that the page's form carries. */
async function openForm(visitor: Visitor): Promise<string> {
  const html = await (await visitor.get('/contact')).text()
  return /name="token" value="([^"]+)"/.exec(html)?.[1] ?? ''
}

const countMessages = async (shop: Shop): Promise<number> =>
  (await shop.db.selectFrom('contactMessages').select('id').execute()).length
const countMails = async (shop: Shop): Promise<number> =>
  (await shop.db.selectFrom('outbox').select('id').execute()).length

eachShop((openShopOf, engine) => {
  const openShop: typeof openShopOf = (options) => openShopOf({ catalog: 'empty', ...options })

  test('the page has the form and other ways to contact the shop', async () => {
    const shop = await openShop()
    const response = await shop.visit().get('/contact')
    expect(response.status).toBe(200)
    const html = await response.text()
    expect(html.match(/<h1\b[^>]*>(.*?)<\/h1>/)?.[1]).toBe('Contact Us')
    expect(html).toContain('<title>Contact Us | Meridian</title>')
    for (const [id, label] of [
      ['name', 'Name'],
      ['email', 'Email'],
      ['message', 'Message'],
    ] as const) {
      expect(html).toMatch(new RegExp(`<label for="${id}"[^>]*>${label}</label>`))
    }
    expect(html).toMatch(/<form [^>]*novalidate/i)
    expect(html).toMatch(
      /<input [^>]*type="email"[^>]*name="email"|<input [^>]*name="email"[^>]*type="email"/,
    )
    expect(html).toContain('Send Message')
    expect(html).toContain('href="mailto:support@meridian.test"')
    expect(html).toContain('href="tel:+15550100"')
    expect(html.replace(/<[^>]+>/g, '')).toContain('Global Operations: Serving customers worldwide')
  })

  test('a message redirects with 303 and "Message Sent", and is in the demo’s outbox', async () => {
    const shop = await openShop()
    const visitor = shop.visit()
    const token = await openForm(visitor)
    expect(token).not.toBe('')
    const response = await visitor.post('/contact', { ...written, token })
    expect(response.status).toBe(303)
    const location = response.headers.get('location') ?? ''
    expect(location).toMatch(/^\/contact/)
    const page = await (await visitor.get(location)).text()
    expect(page.match(/>Message Sent</g)).toHaveLength(1)
    expect(page).toContain('href="/demo/outbox"')
    expect(page).not.toContain('Quillfeather')
    const outbox = await visitor.get('/demo/outbox')
    expect(outbox.headers.get('cache-control')).toBe('private, no-store')
    const html = await outbox.text()
    expect(html).toContain('<meta name="robots" content="noindex"')
    for (const words of [
      'Zebedee Quillfeather',
      'zebedee@customer.example',
      'support@meridian.test',
      'xanomeline',
    ])
      expect(html).toContain(words)
    expect(html).not.toContain('<b>bye</b>')
  })

  test('the page is not sent again to a browser that has it', async () => {
    const now = new Date(testDay)
    const shop = await openShop({ now: () => now })
    const etag = (await shop.visit().get('/contact')).headers.get('etag') ?? ''
    expect((await shop.visit().get('/contact', { 'if-none-match': etag })).status).toBe(304)
  })

  test('the same text is a new message an hour later', async () => {
    let now = new Date(testDay)
    const shop = await openShop({ now: () => now })
    const send = async () => {
      const visitor = shop.visit()
      await visitor.post('/contact', { ...written, token: await openForm(visitor) })
    }
    await send()
    now = new Date(now.getTime() + 3600_000)
    await send()
    expect(await countMessages(shop)).toBe(2)
  })

  test('a form without a token is accepted', async () => {
    const shop = await openShop()
    for (let i = 0; i < 2; i++) expect((await shop.visit().post('/contact', written)).status).toBe(303)
    expect(await countMessages(shop)).toBe(2)
  })

  test('the same form posted twice, and again after the response, is one message', async () => {
    const shop = await openShop()
    const visitor = shop.visit()
    const form = { ...written, token: await openForm(visitor) }
    const answers = await Promise.all([visitor.post('/contact', form), visitor.post('/contact', form)])
    answers.push(await visitor.post('/contact', form))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    expect(await countMessages(shop)).toBe(1)
    expect(await countMails(shop)).toBe(1)
  })

  test('a rejected form is 422, keeps the typed values and shows every error twice', async () => {
    const shop = await openShop()
    const response = await shop
      .visit()
      .post('/contact', { name: '', email: 'zebedee@', message: written.message })
    expect(response.status).toBe(422)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('etag')).toBeNull()
    const html = await response.text()
    expect(html).toContain('value="zebedee@"')
    expect(html).toContain('Where is my parcel of xanomeline?')
    for (const [id, sentence] of [
      ['name', 'Enter your name.'],
      ['email', 'Enter an email address like name@example.com.'],
    ] as const) {
      expect(html).toMatch(new RegExp(`<a href="#${id}"[^>]*>${sentence}</a>`))
      expect(html).toMatch(new RegExp(`id="${id}-error"[^>]*>${sentence}<`))
      expect(html).toMatch(
        new RegExp(`<input [^>]*id="${id}"[^>]*aria-invalid="true"[^>]*aria-describedby="[^"]*${id}-error`),
      )
    }
    expect(await countMessages(shop)).toBe(0)
  })

  test('line breaks in a name or an address do not reach a mail header', async () => {
    const shop = await openShop()
    for (const field of ['name', 'email'] as const) {
      const form = { ...written, [field]: `${written[field]}\r\nBcc: everybody@example.com` }
      expect((await shop.visit().post('/contact', form)).status, field).toBe(422)
    }
    expect(await countMails(shop)).toBe(0)
  })

  test('in production the sixth message of an hour is 429 with Retry-After and keeps the typed values', async () => {
    const shop = await openShop({
      mode: 'production',
      env: { PUBLIC_ORIGIN: 'http://localhost:3000', TRUSTED_PROXY_HOPS: '1' },
      now: () => testDay,
    })
    // The client controls everything to the left of the proxy's own entry, so it is ignored.
    const post = (i: number, address: string) =>
      shop.visit().post('/contact', written, { 'x-forwarded-for': `198.51.100.${i}, ${address}` })
    for (let i = 0; i < 5; i++) expect((await post(i, '203.0.113.9')).status).toBe(303)
    const refused = await post(6, '203.0.113.9')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
    const html = await refused.text()
    expect(html).toContain('Too many requests. Try again in 60 minutes.')
    expect(html).toContain('value="Zebedee Quillfeather"')
    expect(html).toContain('Where is my parcel of xanomeline?')
    expect((await post(7, '203.0.113.10')).status).toBe(303)
    expect(await countMessages(shop)).toBe(6)
  })

  test('the demo takes three hundred a minute, and any number with the limits off', async () => {
    const shop = await openShop({ now: () => new Date('2026-01-05T12:00:00Z') })
    const statuses: number[] = []
    for (let i = 0; i < 301; i++) statuses.push((await shop.visit().post('/contact', written)).status)
    expect(statuses.filter((status) => status === 303)).toHaveLength(300)
    expect(statuses.at(-1)).toBe(429)
    const open = await openShop({ env: { RATE_LIMITS: 'off' } })
    for (let i = 0; i < 5; i++) expect((await open.visit().post('/contact', written)).status).toBe(303)
    expect(await open.db.selectFrom('rateLimits').selectAll().execute()).toEqual([])
  })

  test('a production shop has no outbox page', async () => {
    const shop = await openShop({ mode: 'production' })
    const visitor = shop.visit()
    for (const path of ['/demo/outbox', '/demo/outbox.data']) {
      const response = await visitor.get(path)
      expect(response.status, path).toBe(404)
    }
    await visitor.post('/contact', written)
    const page = await (await visitor.get('/contact?sent')).text()
    expect(page).not.toContain('/demo/outbox')
  })

  test('an empty outbox says so', async () => {
    const shop = await openShop()
    expect(await (await shop.visit().get('/demo/outbox')).text()).toContain('No email yet')
  })

  test('a message is neither in the database, the log nor a URL in plain text', async () => {
    const shop = await openShop()
    const visitor = shop.visit()
    await visitor.post('/contact', { ...written, token: await openForm(visitor) })
    await visitor.post('/contact', { ...written, email: 'nobody' })
    const stored = await readStoredBytes(shop)
    expect(stored).toContain('v1.test.')
    const places = [stored, JSON.stringify(shop.log), ...visitor.cookies.values()]
    for (const place of places) {
      expect(place).not.toMatch(/Quillfeather|zebedee|xanomeline/i)
      expect(place).not.toContain(Buffer.from(written.name).toString('base64').slice(0, 16))
    }
  })

  /** The bytes of the SQLite files, or every row of the Postgres tables that were written to. */
  async function readStoredBytes(shop: Shop): Promise<string> {
    if (engine === 'postgres') {
      const tables = ['contactMessages', 'outbox', 'rateLimits'] as const
      return JSON.stringify(
        await Promise.all(tables.map((table) => shop.db.selectFrom(table).selectAll().execute())),
      )
    }
    const { rows } = await sql<{ file: string }>`select file from pragma_database_list`.execute(shop.db)
    const file = rows[0]?.file ?? ''
    return readFileSync(file, 'latin1') + readFileSync(`${file}-wal`, 'latin1')
  }
})
