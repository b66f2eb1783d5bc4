import { eachEngine } from '#tests/support/engines.ts'
import { isNightly } from '#tests/support/nightly.ts'
import { expect, test } from 'vitest'
import { faults } from './faults.ts'
import { openSite } from './site.ts'

eachEngine((engine, _openDb, openWithUrl) => {
  for (const [name, { run, short, nightly, engine: only = engine, seconds = 0 }] of Object.entries(faults)) {
    const times = isNightly ? nightly : short
    if (times === 0 || only !== engine) continue
    test(
      `${name}, ${times} times: paid once, ordered once`,
      { timeout: 600_000 + 1000 * seconds * times },
      async () => {
        const { url } = await openWithUrl()
        const site = openSite(engine, url)
        try {
          const { trials, findings } = await run(site, times, { isShort: true, seconds })
          expect(findings, findings.join('\n')).toEqual([])
          expect(trials).toBe(times)
        } finally {
          await site.close()
        }
      },
    )
  }
})
