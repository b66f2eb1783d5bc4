import { claimAuditCheck, finishAuditCheck } from '#db/audit/audit-checks.ts'
import { dayMs } from '#domain/days.ts'
import { notifyAdmins } from '../accounts/notify-admins.ts'
import type { HeadStore } from '../audit/saved-heads.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import { inTransaction } from '../context.ts'
import { recordVerification } from '../monitoring/record-runs.ts'
import { createJobContext, type JobContext, type UseCaseParts } from '../job-context.ts'

/** After this, a check that did not finish belonged to a process that died. */
const abandonedMs = 3 * 3600_000
/** The log need not repeat each row of a table that was rewritten. */
const maxLogged = 20

/**
 * Verifies the audit log once a day, in one process, also against the heads that were saved outside
 * the database. A finding is an error in the log and a mail to every admin, each day until an
 * operator has settled it.
 */
export async function checkAudit(
  ctx: JobContext,
  parts: UseCaseParts,
  store: HeadStore | null,
): Promise<void> {
  const now = ctx.now()
  const isClaimed = await claimAuditCheck(ctx.db, {
    now,
    dueBefore: new Date(now.getTime() - dayMs),
    abandonedBefore: new Date(now.getTime() - abandonedMs),
  })
  if (!isClaimed) return
  const sentences: string[] = []
  const { chained, findings, head } = await verifyAudit(ctx.db, {
    keys: ctx.keys,
    savedHeads: store?.read?.() ?? null,
    // A statement over the whole log, during which SQLite answers nothing else.
    findsDuplicates: false,
    onFinding: (sentence) => void (sentences.length < maxLogged && sentences.push(sentence)),
  })
  await inTransaction(createJobContext(ctx, parts), async (ctx) => {
    await finishAuditCheck(ctx.db, { now: ctx.now, findings, head })
    await recordVerification(ctx.db, { name: 'audit', findings, startedAt: now, now: ctx.now })
    if (findings > 0) await notifyAdmins(ctx, alertMail(findings, parts.shop.publicOrigin))
  })
  if (findings > 0) ctx.log.error({ findings, sentences, head }, 'audit log does not verify')
  else if (chained > 0) ctx.log.info({ chained, head }, 'audit log verified')
}

/** Without the rows: the mailbox is no place for who read what. */
const alertMail = (findings: number, publicOrigin: string) => ({
  subject: 'The audit log of the shop was changed',
  text: [
    `The daily check of the audit log of ${publicOrigin} found ${findings === 1 ? 'one problem' : `${findings} problems`}.`,
    'Rows that must never change were changed, removed or added outside the shop. Treat this as a security incident.',
    'An operator can list the rows with: npm run audit:verify',
    'The check runs again tomorrow.',
  ].join('\n\n'),
})
