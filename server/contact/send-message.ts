import { insertContactMessage } from '#db/contact/contact-messages.ts'
import type { ContactMessage } from '#domain/contact/contact.ts'
import { newId } from '#domain/ids.ts'
import { inTransaction, type Context } from '#server/context.ts'
import { keyedHash } from '#server/crypto/tokens.ts'
import { consumeRate } from '#server/limit-rate.ts'
import { queueMail } from '#server/mail/queue-mail.ts'
import { bindings } from '#server/crypto/bindings.ts'
import { seal } from '#server/crypto/sealing.ts'

/**
 * Stores a customer's message and queues it as an email to support, in one transaction. The same
 * text sent twice from forms of the same hour is one message. Throws TOO_MANY when the client
 * address has sent too many.
 * @param formToken names the hour of the form
 */
export async function sendContactMessage(
  ctx: Context,
  { name, email, message }: ContactMessage,
  { formToken, supportEmail }: { formToken: string; supportEmail: string },
): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const id = newId(ctx.now.getTime())
    const isNew = await insertContactMessage(ctx.db, {
      id,
      submissionHash: keyedHash(ctx.keys, ['contact', formToken, name, email, message]),
      sealedName: seal(ctx.keys, bindings.contactName(id), name),
      sealedEmail: seal(ctx.keys, bindings.contactEmail(id), email),
      sealedMessage: seal(ctx.keys, bindings.contactMessage(id), message),
      createdAt: ctx.now,
    })
    if (!isNew) return
    // After the insert, so that a repeated message counts once. A rejection rolls both back.
    await consumeRate(ctx, 'contact', ctx.clientAddress)
    await queueMail(ctx, {
      to: { address: supportEmail },
      replyTo: { name, address: email },
      // The subject is sent and listed unencrypted, so it does not identify the customer.
      subject: `Message from the contact form (${id.slice(-8)})`,
      text: `Name: ${name}\nEmail: ${email}\n\n${message}\n`,
    })
  })
}
