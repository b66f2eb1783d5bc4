import { listRecalledVariantIds } from '#db/recalls/recalled-stock.ts'
import { onEngine } from '#tests/support/engines.ts'
import { explainPostgres } from '#tests/support/explain.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

onEngine('postgres', (openDb) => {
  test('a recall of all packages of a product finds them by the index of identifiers', async () => {
    const db = await openDb('demo')
    await sql`insert into variant_identifiers (value, kind, variant_id)
      select to_char(90000000000 + n, 'fm00000000000'), 'ndc-11', (select min(id) from product_variants)
      from generate_series(1, 30000) n`.execute(db)
    await sql`analyze variant_identifiers`.execute(db)
    const [plan = ''] = await explainPostgres(db, listRecalledVariantIds)
    expect(plan).toContain('care_recall_packages')
    expect(plan).toMatch(/value > p_1\.ndc/)
    expect(plan).not.toMatch(/Join Filter|Seq Scan on (variant_identifiers|product_variants)/)
  })
})
