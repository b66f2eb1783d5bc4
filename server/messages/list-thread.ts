import {
  closeThread as closeRow,
  findSubject,
  listWaitingThreads as listRows,
  lockThread,
} from '#db/messages/messages.ts'
import { AppError } from '#domain/errors.ts'
import type { GridPage } from '#domain/grid.ts'
import { emptyThread, ownThreadMessage, type Thread, type WaitingThread } from '#domain/messages/messages.ts'
import type { ThreadQuery } from '#domain/messages/thread-list.ts'
import { readDisplayName } from '../accounts/person-reader.ts'
import { mayReadRecord } from '../accounts/record-access.ts'
import { recordAudit, recordRead, recordReads } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { openUserKey, unwrapUserKey } from '../crypto/user-key.ts'
import { requirePermission, requireUser } from '../require-user.ts'
import { readThreads } from './read-threads.ts'
import { requireSeen } from './require-seen.ts'
import { getSubject } from './send-message.ts'

/**
 * The messages about an order or prescription, for a pharmacist. The read is audited. Throws
 * UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, REASON_REQUIRED.
 */
export async function listThread(
  ctx: Context,
  subjectId: string,
): Promise<Thread & { kind: 'order' | 'prescription'; userId: string }> {
  const { kind, userId } = await getSubject(ctx, subjectId)
  const key = await openUserKey(ctx, userId)
  if (!key) throw new AppError('NOT_FOUND')
  await recordRead(ctx, { action: 'messages.read', subjectId: userId, objectId: subjectId })
  const threads = await readThreads(ctx, key, { userId, subjectIds: [subjectId] })
  return { ...(threads.get(subjectId) ?? emptyThread), kind, userId }
}

/** Whether the signed-in pharmacist may read the messages about an order or prescription. */
export async function mayListThread(ctx: Context, subjectId: string): Promise<boolean> {
  requirePermission(ctx, 'prescriptions.review')
  const subject = await findSubject(ctx.db, subjectId)
  return subject !== null && mayReadRecord(ctx, subject.userId)
}

/**
 * The signed-in customer's threads about these orders and prescriptions. Not audited: the caller
 * has audited the order or the list. Throws UNAUTHENTICATED.
 */
export async function listOwnThreads(
  ctx: Context,
  subjectIds: readonly string[],
): Promise<Map<string, Thread>> {
  const { id: userId } = requireUser(ctx)
  const key = await openUserKey(ctx, userId)
  if (!key) throw new AppError('UNAUTHENTICATED')
  return readThreads(ctx, key, { userId, subjectIds })
}

/**
 * A page of the threads that wait for the pharmacy. The read is audited for each of its customers.
 * Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function listWaitingThreads(ctx: Context, query: ThreadQuery): Promise<GridPage<WaitingThread>> {
  requirePermission(ctx, 'prescriptions.review')
  const page = await listRows(ctx.db, query)
  const subjectIds = [...new Set(page.rows.map(({ userId }) => userId))]
  await recordReads(ctx, { action: 'messages.read', subjectIds })
  const rows = page.rows.map(
    ({ subjectId, userId, orderId, sealedName, wrappedKey, updatedAt }): WaitingThread => ({
      id: subjectId,
      kind: orderId === null ? 'prescription' : 'order',
      customerName: readDisplayName(unwrapUserKey(ctx, userId, wrappedKey), { id: userId, sealedName }),
      updatedAt: updatedAt.toISOString(),
    }),
  )
  return { ...page, rows }
}

/**
 * Takes a thread off the list without a message, such as after a call. Throws UNAUTHENTICATED,
 * FORBIDDEN, NOT_FOUND, REASON_REQUIRED, and CONFLICT for the pharmacist's own order and when the
 * customer has written after the last message that the pharmacist saw.
 */
export async function closeThread(
  ctx: Context,
  { subjectId, lastMessageId }: { subjectId: string; lastMessageId: string | undefined },
): Promise<void> {
  const { userId } = await getSubject(ctx, subjectId)
  if (userId === ctx.user?.id) throw new AppError('CONFLICT', ownThreadMessage)
  await inTransaction(ctx, async (ctx) => {
    const thread = await lockThread(ctx.db, subjectId)
    if (thread?.waitingFor !== 'pharmacy') return
    await requireSeen(ctx, { subjectId, lastMessageId })
    await closeRow(ctx.db, subjectId)
    await recordAudit(ctx, { action: 'message.closed', subjectId: userId, objectId: subjectId })
  })
}
