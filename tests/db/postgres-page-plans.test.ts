import { listLogStates } from '#db/audit/audit.ts'
import { listProductsWithoutSets } from '#db/screening/product-ingredients.ts'
import { onEngine } from '#tests/support/engines.ts'
import { explainPostgres, mostRows } from '#tests/support/explain.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

onEngine('postgres', (openDb) => {
  test('products without ingredients are found without comparing each product with every row', async () => {
    const db = await openDb('demo')
    // More than fits in the memory for a hash.
    await sql`insert into unknown_ingredient_names (product_id, name)
      select p.id, 'NAME ' || n from products p, generate_series(1, 400) n`.execute(db)
    await sql`analyze unknown_ingredient_names`.execute(db)
    const [plan] = await explainPostgres(db, async (explained) => {
      expect(await listProductsWithoutSets(explained, { after: '', limit: 500 })).toEqual([])
    })
    expect(plan).toContain('Anti Join')
    expect(plan).not.toContain('SubPlan')
  })

  test('a page of the audit log reads as many rows in the middle as at the start', async () => {
    const db = await openDb('empty')
    await sql`insert into audit_log (id, subject_id, action, request_id, at)
      select to_char(n, 'fm00000'), 'someone', 'profile.read', 'r', now() from generate_series(1, 40000) n`.execute(
      db,
    )
    await sql`delete from audit_pending`.execute(db)
    await sql`insert into audit_chain (seq, audit_id, hash)
      select n, to_char(n, 'fm00000'), 'h' from generate_series(1, 40000) n`.execute(db)
    await sql`vacuum analyze audit_log, audit_chain, audit_pending`.execute(db)
    const [plan = ''] = await explainPostgres(db, async (explained) => {
      const page = await listLogStates(explained, { after: '20000', limit: 1000 })
      expect(page).toHaveLength(1000)
      expect(page[0]).toEqual({ id: '20001', seq: 20_001, isPending: false })
    })
    expect(mostRows(plan)).toBe(1000)
    // Rows that a step reads and does not return.
    expect(plan).not.toContain('Seq Scan on audit_chain')
    expect(plan).not.toContain('Rows Removed by')
  })
})
