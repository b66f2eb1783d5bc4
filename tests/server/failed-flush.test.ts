import { recordAudit } from '#server/audit/record-audit.ts'
import type { Head } from '#server/audit/saved-heads.ts'
import { inTransaction } from '#server/context.ts'
import { chainAudit } from '#server/jobs/chain-audit.ts'
import { createHeadJob } from '#server/jobs/save-head.ts'
import { testContext, testKeys } from '#tests/support/context.ts'
import { onEngine } from '#tests/support/engines.ts'
import { replaceLog } from '#tests/support/replace-log.ts'
import { expect, test } from 'vitest'

onEngine('sqlite', (_openDb, openWithUrl) => {
  test('a head that may not be on disk is not saved elsewhere', async () => {
    const { db: other, openAgain } = await openWithUrl()
    const ctx = testContext(other)
    await inTransaction(ctx, (ctx) => recordAudit(ctx, { action: 'profile.read', subjectId: 'user' }))
    await chainAudit({ ...ctx, keys: testKeys }, new AbortController().signal)
    const saved: Head[] = []
    const db = openAgain()
    const store = { save: async (head: Head) => void saved.push(head), read: null }
    const saveHead = createHeadJob({ ...ctx, db, now: () => ctx.now }, store)
    await db.selectFrom('auditLog').select('id').execute()
    await replaceLog(db)
    await expect(saveHead(new AbortController().signal)).rejects.toMatchObject({ code: 'EISDIR' })
    expect(saved).toEqual([])
  })
})
