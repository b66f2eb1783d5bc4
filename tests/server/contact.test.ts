import { sendContactMessage } from '#server/contact/send-message.ts'
import type { Context } from '#server/context.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { bindings, type Binding } from '#server/crypto/bindings.ts'
import { unseal } from '#server/crypto/sealing.ts'
import { limitedTo, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

const written = { name: 'Zoë O’Hara', email: 'zoe@example.com', message: 'Where is\nmy order?' }
const form = { formToken: 'form-1', supportEmail: 'support@shop.example' }

const stored = (ctx: Context) => ctx.db.selectFrom('contactMessages').selectAll().execute()

eachEngine((_engine, openDb) => {
  test('a message is stored sealed and emailed to support with a reply address', async () => {
    const ctx = testContext(await openDb())
    await sendContactMessage(ctx, written, form)
    const [row, ...others] = await stored(ctx)
    expect(others).toEqual([])
    expect(JSON.stringify(row)).not.toMatch(/Zoë|Hara|zoe@|order|form-1/)
    const read = (binding: Binding, sealed = '') => unseal(ctx.keys, binding(row?.id ?? ''), sealed)
    expect(read(bindings.contactName, row?.sealedName)).toBe(written.name)
    expect(read(bindings.contactEmail, row?.sealedEmail)).toBe(written.email)
    expect(read(bindings.contactMessage, row?.sealedMessage)).toBe(written.message)
    const [mail, ...more] = await listOutbox(ctx)
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      to: { address: 'support@shop.example' },
      replyTo: { name: written.name, address: written.email },
      text: `Name: ${written.name}\nEmail: ${written.email}\n\n${written.message}\n`,
    })
    expect(mail?.subject).not.toMatch(/Zoë|Hara|zoe|order/)
  })

  test('the same form with the same text is one message, also when sent concurrently', async () => {
    const ctx = testContext(await openDb())
    await Promise.all(Array.from({ length: 10 }, () => sendContactMessage(ctx, written, form)))
    await sendContactMessage(ctx, written, form)
    expect(await stored(ctx)).toHaveLength(1)
    expect(await listOutbox(ctx)).toHaveLength(1)
  })

  test('another text in the same form, or the same text in another form, is a new message', async () => {
    const ctx = testContext(await openDb())
    await sendContactMessage(ctx, written, form)
    await sendContactMessage(ctx, { ...written, message: 'And one more thing.' }, form)
    await sendContactMessage(ctx, written, { ...form, formToken: 'form-2' })
    expect(await stored(ctx)).toHaveLength(3)
    expect(await listOutbox(ctx)).toHaveLength(3)
  })

  test('a message over the limit is neither stored nor emailed, and another client may still send', async () => {
    const rateLimits = limitedTo('contact', { limit: 2, windowSeconds: 60 })
    const ctx = testContext(await openDb(), { rateLimits })
    const send = (formToken: string, clientAddress = ctx.clientAddress) =>
      sendContactMessage({ ...ctx, clientAddress }, written, { ...form, formToken })
    await send('1')
    await send('2')
    // A repeat does not count against the limit.
    await send('2')
    await expect(send('3')).rejects.toMatchObject({ code: 'TOO_MANY', retryAfter: 60 })
    expect(await stored(ctx)).toHaveLength(2)
    expect(await listOutbox(ctx)).toHaveLength(2)
    await send('4', '198.51.100.7')
    expect(await stored(ctx)).toHaveLength(3)
  })
})
