import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'
import { faults } from './faults.ts'
import { openSite } from './site.ts'

eachEngine((engine, _openDb, openWithUrl) => {
  for (const [name, { run, short }] of Object.entries(faults)) {
    test(`${name}, ${short} times: paid once, ordered once`, { timeout: 180_000 }, async () => {
      const { url } = await openWithUrl()
      const site = openSite(engine, url)
      try {
        const { trials, findings } = await run(site, short)
        expect(findings).toEqual([])
        expect(trials).toBe(short)
      } finally {
        await site.close()
      }
    })
  }
})
