import { deleteRequestKeys } from '#db/catalog/request-keys.ts'
import { deleteUserKey } from '#db/crypto/keys.ts'
import { deleteUserLabelChoices } from '#db/dispensing/label-choices.ts'
import { deleteUserOrderNotes } from '#db/orders/order-notes.ts'
import { lockThreadsOf } from '#db/messages/messages.ts'
import { lockOrdersOf } from '#db/orders/orders.ts'
import { deleteUser as deleteRow, lockUserToDelete } from '#db/accounts/users.ts'
import { normalizeEmail } from '#domain/accounts/accounts.ts'
import { isStaff } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { findEmail } from '../accounts/person-reader.ts'
import { reportCreations } from '../accounts/report-creations.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requestErasure } from '../crypto/request-erasure.ts'
import { discardUserFiles } from '../files/register-file.ts'
import { lockActorAndUser } from '../accounts/lock-actor.ts'
import { requireRecentCode } from '../accounts/recent-code.ts'
import { verifyOwner, type OwnerProof } from '../accounts/verify-owner.ts'
import { removeCheckoutCustomer } from '../checkout/remove-customer.ts'
import { cancelUnshippedOrders } from '../orders/cancel-unshipped-orders.ts'
import { removeOrderCustomer } from '../orders/remove-customer.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { keepRecords } from '../records/keep-records.ts'
import { requirePermission, requireUser } from '../require-user.ts'

/** The staff cannot delete themselves, so at least one admin always remains. */
export const staffSelfDeletionMessage =
  'You can’t delete your own account while you work for the shop. Ask an admin.'

/**
 * Deletes the signed-in customer's account. They confirm with their password, or with their email
 * address when an identity provider signs them in. Throws UNAUTHENTICATED, CONFLICT for staff,
 * INVALID with the field, TOO_MANY after too many wrong passwords.
 */
export async function deleteAccount(
  ctx: Context,
  { email, ...proof }: OwnerProof & { email: string },
): Promise<void> {
  const user = requireUser(ctx)
  if (isStaff(user)) throw new AppError('CONFLICT', staffSelfDeletionMessage)
  const passwordHash = await verifyOwner(ctx, proof)
  if (passwordHash === null && normalizeEmail(email) !== normalizeEmail(user.email)) {
    throw new AppError('INVALID', undefined, {
      fields: { email: 'Enter this account’s email address.' },
    })
  }
  await deleteUser(ctx, user.id)
}

/**
 * Deletes a user, every row that references the user, and the notes on their orders. Destroys the
 * user's key, so that no copy of what it sealed can be decrypted; a job erases the key from the
 * database's files. Orders that have not shipped are cancelled and refunded. What the law requires
 * of shipped prescription medicines is kept as records (`server/records`), under keys of their own.
 * Names and addresses leave all orders. The next sweep deletes the bytes of all other files. The
 * audit log stays. For the user or staff with `customers.manage`. Throws UNAUTHENTICATED,
 * FORBIDDEN, CODE_REQUIRED, NOT_FOUND, and CONFLICT when staff delete their own account.
 */
export async function deleteUser(ctx: Context, userId: string): Promise<void> {
  const actor = requireUser(ctx)
  if (userId === actor.id) {
    if (isStaff(actor)) throw new AppError('CONFLICT', staffSelfDeletionMessage)
  } else {
    requirePermission(ctx, 'customers.manage')
    requireRecentCode(ctx)
  }
  await inTransaction(ctx, async (ctx) => {
    await lockActorAndUser(ctx, userId, 'customers.manage')
    await lockUserToDelete(ctx.db, userId)
    await recordAudit(ctx, { action: 'account.deleted', subjectId: userId })
    // Before prescriptions and the reviews of lines, as a customer's message locks them.
    await lockThreadsOf(ctx.db, userId)
    // Locks prescriptions, which shipping locks before orders.
    await keepRecords(ctx, userId)
    // All orders before the stock of any, as refunds do. Otherwise the two could deadlock.
    await lockOrdersOf(ctx.db, userId)
    await cancelUnshippedOrders(ctx, userId)
    const address = await findEmail(ctx, userId)
    if (address !== null) {
      const { supportEmail } = ctx.shop
      await queueMail(ctx, { to: { address }, template: 'account-deleted', props: { supportEmail } })
    }
    await removeCustomer(ctx, userId)
    await discardUserFiles(ctx, userId)
    await deleteUserOrderNotes(ctx.db, userId)
    await deleteUserLabelChoices(ctx.db, userId)
    await deleteRequestKeys(ctx.db, userId)
    await deleteUserKey(ctx.db, userId)
    await deleteRow(ctx.db, userId)
    await reportCreations(ctx, { userId, event: 'deleted' })
    await requestErasure(ctx, 'key')
  })
}

/** Removes names and addresses from a user's orders, which stay as accounting records. */
async function removeCustomer(ctx: Context, userId: string): Promise<void> {
  for (const order of await lockOrdersOf(ctx.db, userId)) {
    await removeOrderCustomer(ctx, order)
    await removeCheckoutCustomer(ctx, order.checkoutId)
  }
}
