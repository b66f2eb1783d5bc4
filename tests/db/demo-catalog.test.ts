import { seedDemo } from '#db/seed/demo.ts'
import { hasValidCheckDigit } from '#domain/catalog/identifiers.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test.each(['ndc', 'din', 'upc'] as const)(
    'the demo sells products that can be found by %s',
    async (kind) => {
      const db = await openDb()
      await seedDemo(db)
      const rows = await db
        .selectFrom('productVariants')
        .select(kind)
        .where(kind, 'is not', null)
        .where('inStock', '=', true)
        .execute()
      expect(rows.length).toBeGreaterThan(15)
      const upcs = rows.flatMap((row) => ('upc' in row && row.upc ? [row.upc] : []))
      for (const upc of upcs) expect(hasValidCheckDigit(upc), upc).toBe(true)
    },
  )
})
