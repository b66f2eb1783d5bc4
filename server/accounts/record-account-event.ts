import { insertAuditDetail } from '#db/audit/audit.ts'
import type { AuditAction } from '#domain/audit/audit.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { sealEventDetail, type EventDetail } from './sealed-event.ts'

type AccountEvent = {
  action: AuditAction
  userId: string
  /** Left out for the signed-in user; null for a person who is not known. */
  actorId?: string | null
  objectId?: string
  /** Left out for the device that the request comes from. */
  detail?: EventDetail
}

/** The device that a request comes from. */
export const requestDevice = (ctx: Context): EventDetail => ({
  userAgent: ctx.userAgent?.slice(0, 300) ?? null,
  address: ctx.clientAddress,
})

/**
 * Records what happened to an account and from which device, in the caller's transaction. The
 * device is sealed for the user.
 */
export async function recordAccountEvent(
  ctx: Context,
  { userId, detail = requestDevice(ctx), ...entry }: AccountEvent,
): Promise<void> {
  const auditId = await recordAudit(ctx, { ...entry, subjectId: userId })
  const key = await openUserKey(ctx, userId)
  if (!key) return
  const sealedDetail = sealEventDetail(key, auditId, detail)
  await insertAuditDetail(ctx.db, { auditId, userId, sealedDetail, network: null })
}
