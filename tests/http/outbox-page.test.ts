import { queueMail } from '#server/mail/queue-mail.ts'
import { testContext } from '#tests/support/context.ts'
import { eachShop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

eachShop((openShop) => {
  test('the demo’s outbox shows a mail with a working link to the shop', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const ctx = testContext(shop.db, { now: new Date() })
    const link = `${shop.origin}/reset-password?token=a-b_c`
    const to = { address: 'zoe@customer.example' }
    await queueMail(ctx, { to, template: 'reset-password', props: { link, minutes: 60 } })
    const html = await (await shop.visit().get('/demo/outbox')).text()
    expect(html).toContain('Reset your password')
    expect(html).toContain('within 1 hour')
    expect(html).toMatch(/<a href="\/reset-password\?token=a-b_c"[^>]*>http:/)
  })

  test('an external URL in a message is not linked', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const visitor = shop.visit()
    await visitor.post('/contact', {
      name: 'Zebedee',
      email: 'zebedee@customer.example',
      message: `https://evil.example/ and ${shop.origin}.evil.example/ and javascript:alert(1)`,
    })
    const html = await (await visitor.get('/demo/outbox')).text()
    expect(html).toContain('https://evil.example/')
    expect(html).not.toMatch(/href="[^"]*(evil|javascript)/)
  })
})
