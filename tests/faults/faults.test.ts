import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'
import { faults } from './faults.ts'
import { openSite } from './site.ts'

eachEngine((engine, _openDb, openWithUrl) => {
  for (const [name, { run, short }] of Object.entries(faults).filter(([, { short }]) => short > 0)) {
    test(`${name}, ${short} times: paid once, ordered once`, { timeout: 180_000 }, async () => {
      const { url } = await openWithUrl()
      const site = openSite(engine, url)
      try {
        const { trials, findings } = await run(site, short, { isShort: true })
        expect(findings).toEqual([])
        expect(trials).toBe(short)
      } finally {
        await site.close()
      }
    })
  }
})
