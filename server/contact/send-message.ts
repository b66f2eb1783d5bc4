import { insertContactMessage } from '#db/contact/contact-messages.ts'
import type { ContactMessage } from '#domain/contact/contact.ts'
import { newId } from '#domain/ids.ts'
import { inTransaction, type Context } from '#server/context.ts'
import { keyedHash } from '#server/crypto/tokens.ts'
import { limitRate } from '#server/limit-rate.ts'
import { queueMail } from '#server/mail/queue-mail.ts'
import { bindings } from '#server/crypto/bindings.ts'
import { seal } from '#server/crypto/sealing.ts'

/**
 * Stores what a customer wrote and queues it as mail to the shop's support, both or neither. The
 * same form sent again with the same words is one message. Throws TOO_MANY when so many came from
 * this address.
 * @param formToken names the form that was filled in
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
    // After the message, so that one sent twice counts once; refused here, neither is kept.
    await limitRate(ctx, 'contact', ctx.clientAddress)
    await queueMail(ctx, {
      to: { address: supportEmail },
      replyTo: { name, address: email },
      // A subject travels and is listed in the clear, so it says nothing of the customer.
      subject: `Message from the contact form (${id.slice(-8)})`,
      text: `Name: ${name}\nEmail: ${email}\n\n${message}\n`,
    })
  })
}
