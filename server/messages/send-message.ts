import { bumpReviewVersion, reviewNewAnswer } from '#db/messages/subjects.ts'
import {
  countMessages,
  createThread,
  findLastMessageId,
  findSubject,
  insertMessage,
  lockThread,
  updateThread,
  type Subject,
} from '#db/messages/messages.ts'
import { AppError } from '#domain/errors.ts'
import { idOfTime, isId, newId, timeOfId } from '#domain/ids.ts'
import {
  messageBounds,
  ownThreadMessage,
  type MessageSender,
  type WaitingFor,
} from '#domain/messages/messages.ts'
import { paths } from '#domain/paths.ts'
import { findEmail } from '../accounts/person-reader.ts'
import { requireRecordAccess } from '../accounts/record-access.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { blindIndex } from '../crypto/tokens.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { consumeRate } from '../limit-rate.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { notFoundForUser } from '../note-refusal.ts'
import { requirePermission, requireUser } from '../require-user.ts'
import { requireSeen } from './require-seen.ts'
import { sealMessage } from './sealed-message.ts'

export type MessageInput = {
  /** The id of the order or prescription that it is about. */
  subjectId: string
  text: string
  /** Names this submission: a second one with the same key and text stores and sends nothing. */
  requestKey: string
}

export type ReplyInput = MessageInput & {
  /** The id of the last message that the pharmacist saw; undefined when it was not posted. */
  lastMessageId?: string | undefined
}

/**
 * Writes to the pharmacy about one of the signed-in customer's orders or prescriptions. Lines that
 * waited for the customer return to the queue, and a review of the prescription starts from its new
 * version. Throws UNAUTHENTICATED, TOO_MANY; NOT_FOUND when the order or prescription is missing or
 * another user's; CONFLICT when the thread is full.
 */
export async function sendToPharmacy(ctx: Context, input: MessageInput): Promise<void> {
  const user = requireUser(ctx)
  const subject = isId(input.subjectId) ? await findSubject(ctx.db, input.subjectId) : null
  if (subject?.userId !== user.id) throw notFoundForUser(ctx, input.subjectId)
  await consumeRate(ctx, 'message', user.id)
  await inTransaction(ctx, async (ctx) => {
    if (!(await store(ctx, subject, input, { sender: 'customer', waitingFor: 'pharmacy' }))) return
    await reviewNewAnswer(ctx.db, subject)
  })
}

/**
 * Asks the customer about an order or prescription, and emails that there is a question. The thread
 * then waits for the customer, and a decision on the prescription made without the question is
 * stale. Throws what `answerCustomer` throws.
 */
export const askCustomer = (ctx: Context, input: ReplyInput): Promise<void> =>
  sendToCustomer(ctx, input, 'question')

/**
 * Writes to the customer about an order or prescription without expecting a reply, and emails that
 * there is an answer. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, REASON_REQUIRED, and CONFLICT
 * for the pharmacist's own order, when the thread is full, and when the customer has written after
 * the last message that the pharmacist saw.
 */
export const answerCustomer = (ctx: Context, input: ReplyInput): Promise<void> =>
  sendToCustomer(ctx, input, 'answer')

async function sendToCustomer(ctx: Context, input: ReplyInput, kind: 'question' | 'answer'): Promise<void> {
  const subject = await getSubject(ctx, input.subjectId)
  if (subject.userId === ctx.user?.id) throw new AppError('CONFLICT', ownThreadMessage)
  const address = await findEmail(ctx, subject.userId)
  if (address === null) throw new AppError('NOT_FOUND')
  await inTransaction(ctx, async (ctx) => {
    const waitingFor = kind === 'question' ? 'customer' : 'none'
    if (!(await store(ctx, subject, input, { sender: 'pharmacy', waitingFor }))) return
    // After `store`, because a repeated submission is no conflict. A conflict rolls it back.
    await requireSeen(ctx, input)
    if (kind === 'question' && subject.kind === 'prescription') await bumpReviewVersion(ctx.db, subject.id)
    const path = subject.kind === 'order' ? paths.order(subject.id) : paths.prescriptions
    await queueMail(ctx, {
      to: { address },
      template: 'pharmacy-message',
      props: { about: subject.kind, kind, link: ctx.shop.publicOrigin + path },
    })
  })
}

/**
 * The order or prescription of a thread, for a pharmacist. Throws UNAUTHENTICATED, FORBIDDEN,
 * NOT_FOUND, REASON_REQUIRED.
 */
export async function getSubject(ctx: Context, id: string): Promise<Subject> {
  requirePermission(ctx, 'prescriptions.review')
  const subject = isId(id) ? await findSubject(ctx.db, id) : null
  if (!subject) throw new AppError('NOT_FOUND')
  await requireRecordAccess(ctx, subject.userId)
  return subject
}

/** Stores a message in the caller's transaction. False when this submission is stored already. */
async function store(
  ctx: Context,
  subject: Subject,
  { text, requestKey }: MessageInput,
  { sender, waitingFor }: { sender: MessageSender; waitingFor: WaitingFor },
): Promise<boolean> {
  const key = await openUserKey(ctx, subject.userId)
  if (!key) throw new AppError('NOT_FOUND')
  await createThread(ctx.db, subject, ctx.now)
  await lockThread(ctx.db, subject.id)
  const id = await newMessageId(ctx, subject.id)
  const isNew = await insertMessage(ctx.db, {
    id,
    subjectId: subject.id,
    sender,
    authorId: requireUser(ctx).id,
    sealedText: sealMessage(key, id, text),
    // Of the text too: a corrected text, sent again by the same page, is another message.
    requestKey: blindIndex(ctx.keys, 'message', JSON.stringify([requestKey, text])),
    createdAt: ctx.now,
  })
  if (!isNew) return false
  if ((await countMessages(ctx.db, subject.id)) > messageBounds.perThread)
    throw new AppError('CONFLICT', 'This conversation is full. Please call the pharmacy.')
  await updateThread(ctx.db, { subjectId: subject.id, waitingFor, now: ctx.now })
  await recordAudit(ctx, { action: 'message.sent', subjectId: subject.userId, objectId: subject.id })
  return true
}

/**
 * An id after those of all other messages of a locked thread. The clock of another process may be
 * ahead, and `requireSeen` compares ids.
 */
async function newMessageId(ctx: Context, subjectId: string): Promise<string> {
  const id = newId(ctx.now.getTime())
  const last = await findLastMessageId(ctx.db, { subjectId })
  return last !== null && last >= id ? idOfTime(timeOfId(last) + 1) : id
}
