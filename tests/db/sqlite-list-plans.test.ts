import { Database } from '#db/engine/better-sqlite3.ts'
import { narrowResults, readNarrowing } from '#server/search/narrow-results.ts'
import { onEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'

onEngine('sqlite', (openDb) => {
  test.each([{ category: 'Rx' }, { category: 'OTC' }, { category: 'Rx', form: 'tablet' }])(
    'a list narrowed to %o reads that category in its order, and sorts nothing',
    async (params) => {
      const db = await openDb('demo')
      const narrowing = readNarrowing({ ...params, facets: true })
      const spy = vi.spyOn(Database.prototype, 'prepare')
      const page = await narrowResults(db, null, narrowing!, { page: 1, limit: 5 })
      const statements = new Set(spy.mock.calls.map(([text]) => text))
      spy.mockRestore()
      expect(page.products).toHaveLength(5)
      const [list = '', ...others] = [...statements].filter((text) =>
        text.includes('select p.id from products'),
      )
      expect(others).toEqual([])
      const { rows } = await sql
        .raw<{ detail: string }>(`explain query plan ${list.replaceAll('?', 'null')}`)
        .execute(db)
      const steps = rows.map(({ detail }) => detail)
      expect(steps).toContain('SEARCH p USING INDEX products_by_category (category=?)')
      expect(steps.join()).not.toMatch(/B-TREE|SCAN p/)
    },
  )
})
