import { AppError } from '#domain/errors.ts'
import { infectedFileMessage } from '#domain/files/files.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'

/**
 * Asks the scanner about a file. Returns when it found the file clean, or null without a scanner.
 * Throws INVALID when it is infected, which is audited, and UNAVAILABLE without a verdict.
 * @param subjectId whose file it is
 */
export async function scanBytes(
  ctx: Context,
  bytes: Uint8Array,
  { subjectId, objectId }: { subjectId: string; objectId?: string },
): Promise<Date | null> {
  if (ctx.scanner === null) return null
  const verdict = await ctx.scanner.scan(bytes)
  if (verdict.outcome === 'clean') return ctx.now
  await recordAudit(ctx, {
    action: 'file.infected',
    subjectId,
    ...(objectId !== undefined && { objectId }),
  })
  ctx.log.warn({ requestId: ctx.requestId, signature: verdict.signature }, 'infected file refused')
  throw new AppError('INVALID', infectedFileMessage)
}
