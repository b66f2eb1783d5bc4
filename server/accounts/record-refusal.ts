import { insertAuditDetail } from '#db/audit/audit.ts'
import { findCredentials } from '#db/accounts/credentials.ts'
import { countHit } from '#db/limits/rate-limits.ts'
import { maskNetwork } from '#domain/accounts/network.ts'
import { unknownAddressSubject, type AuditAction } from '#domain/audit/audit.ts'
import { newId } from '#domain/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { keyedHash } from '../crypto/tokens.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { toAppError } from '../errors.ts'
import { hashEmail } from './blind-indexes.ts'
import { requestDevice } from './record-account-event.ts'
import { sealEventDetail } from './sealed-event.ts'

/** Within a window, this many refusals are recorded, then the 100th, the 1,000th and so on. */
const windowSeconds = 15 * 60
const maxPerSubject = 10
const maxPerNetwork = 100

type Refusal = {
  action: AuditAction
  /** The account, or the address that was tried. */
  of: { userId: string } | { email: string }
  /** What was refused. Left out, the row has the number of the attempt instead. */
  objectId?: string
  /** Left out for the signed-in user; null when it is not known who made the attempt. */
  actorId?: string | null
}

/**
 * Records a refused attempt, bounded per network and per account: an attacker must not fill the
 * log. The row has the attempt's number in its window, so the rows between can be missing and the
 * count is still known. An address without an account costs the same queries as one with. Call it
 * outside the transaction that was rolled back. A failure is logged and does not change the reply.
 */
export async function recordRefusal(ctx: Context, refusal: Refusal): Promise<void> {
  try {
    await inTransaction(ctx, (ctx) => writeRefusal(ctx, refusal))
  } catch (error) {
    const { requestId } = ctx
    ctx.log.warn({ code: toAppError(error).code, requestId, action: refusal.action }, 'refusal not recorded')
  }
}

/** A request that is refused more objects than this is a scan, which the first ones show. */
const maxPerRequest = 5

/** Records what this request was refused to the signed-in user (`noteRefusal`). */
export async function recordAccessRefusals(ctx: Context): Promise<void> {
  if (!ctx.user) return
  for (const objectId of [...(ctx.refusals ?? [])].slice(0, maxPerRequest)) {
    await recordRefusal(ctx, {
      action: 'access.refused',
      of: { userId: ctx.user.id },
      ...(objectId !== null && { objectId }),
    })
  }
}

async function writeRefusal(ctx: Context, { action, of, objectId, ...actor }: Refusal): Promise<void> {
  // The network first: past its bound, an attempt adds no counter for each address that it names.
  const fromNetwork = await countRefusal(ctx, ['network', ctx.clientAddress])
  if (!isRecorded(fromNetwork, maxPerNetwork)) return
  const { subjectId, userId } = await findSubject(ctx, of)
  const attempts = await countRefusal(ctx, [action, subjectId])
  if (!isRecorded(attempts, maxPerSubject)) return
  const entry = { action, subjectId, objectId: objectId ?? String(attempts), ...actor }
  const auditId = await recordAudit(ctx, entry)
  // For an unknown address this is the id of no user.
  const key = await openUserKey(ctx, userId)
  await insertAuditDetail(ctx.db, {
    auditId,
    userId: key ? userId : null,
    sealedDetail: key && sealEventDetail(key, auditId, requestDevice(ctx)),
    network: key ? null : maskNetwork(ctx.clientAddress),
  })
}

async function countRefusal(ctx: Context, key: readonly string[]): Promise<number> {
  const { hits } = await countHit(ctx.db, {
    keyHash: keyedHash(ctx.keys, ['refusals', ...key]),
    now: ctx.now,
    endsAt: new Date(ctx.now.getTime() + windowSeconds * 1000),
  })
  return hits
}

const isRecorded = (hits: number, limit: number): boolean => hits <= limit || /^100+$/.test(String(hits))

async function findSubject(ctx: Context, of: Refusal['of']): Promise<{ subjectId: string; userId: string }> {
  if ('userId' in of) return { subjectId: of.userId, userId: of.userId }
  const emailHash = hashEmail(ctx, of.email)
  const user = await findCredentials(ctx.db, emailHash)
  return user
    ? { subjectId: user.id, userId: user.id }
    : { subjectId: unknownAddressSubject(emailHash), userId: newId(ctx.now.getTime()) }
}
