import { deleteOtherJobs, listRuns, saveRuns } from '#db/monitoring/runs.ts'
import { testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('a job that a version does not have leaves no run behind, which would look silent for good', async () => {
    const db = await openDb()
    const run = { succeededAt: testDay, failedAt: null, failure: null, summary: null, durationMs: 1 }
    await saveRuns(db, [
      { ...run, kind: 'job', name: 'outbox' },
      { ...run, kind: 'job', name: 'former name' },
      { ...run, kind: 'verify', name: 'stock' },
    ])
    await deleteOtherJobs(db, ['outbox', 'refunds'])
    expect((await listRuns(db)).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'job outbox',
      'verify stock',
    ])
  })
})
