import { recordedRecalls } from '#domain/screening/recall.ts'
import { insertRecordedRecall } from '#db/recalls/recorded-recalls.ts'
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

  test('a recall that staff recorded finds its packages by the index of identifiers', async () => {
    const db = await openDb('demo')
    await sql`insert into variant_identifiers (value, kind, variant_id)
      select to_char(n, 'fm00000'), k.kind, (select min(id) from product_variants)
      from generate_series(1, 30000) n cross join (values ('din'), ('upc')) as k (kind)
      on conflict do nothing`.execute(db)
    const codes = Array.from({ length: 20 }, (_, at) => `${at % 2 === 0 ? 'din' : 'upc'}:${10_001 + at}`)
    await insertRecordedRecall(db, {
      id: 'SHOP-00000001',
      list: recordedRecalls,
      recallClass: 'II',
      status: 'Ongoing',
      firm: 'Example Labs',
      reason: 'Metal particles',
      product: 'Ibuprofen',
      initiated: null,
      reported: '2026-01-02',
      allLots: true,
      lotNote: null,
      codes,
      lots: [],
    })
    await sql`analyze variant_identifiers, care_recall_packages`.execute(db)
    const [plan = ''] = await explainPostgres(db, listRecalledVariantIds)
    expect(plan).toMatch(/value = substr\(/)
    expect(plan).not.toMatch(/Join Filter|Seq Scan on (variant_identifiers|product_variants)/)
  })
})
