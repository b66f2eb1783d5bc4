import { listProductsWithoutSets } from '#db/screening/product-ingredients.ts'
import { onEngine } from '#tests/support/engines.ts'
import { CompiledQuery, sql, type KyselyPlugin, type RootOperationNode } from 'kysely'
import { expect, test } from 'vitest'

onEngine('postgres', (openDb) => {
  test('products without ingredients are found without comparing each product with every row', async () => {
    const db = await openDb('demo')
    // More than fits in the memory for a hash.
    await sql`insert into unknown_ingredient_names (product_id, name)
      select p.id, 'NAME ' || n from products p, generate_series(1, 400) n`.execute(db)
    await sql`analyze unknown_ingredient_names`.execute(db)
    const nodes: RootOperationNode[] = []
    const collector: KyselyPlugin = {
      transformQuery: ({ node }) => {
        nodes.push(node)
        return node
      },
      transformResult: async ({ result }) => result,
    }
    expect(await listProductsWithoutSets(db.withPlugin(collector), { after: '', limit: 500 })).toEqual([])
    const [query] = nodes.map((node) => db.getExecutor().compileQuery(node, { queryId: 'explained' }))
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(`explain ${query?.sql}`, [...(query?.parameters ?? [])]),
    )
    const plan = rows.map((row) => Object.values(row).join()).join('\n')
    expect(plan).toContain('Anti Join')
    expect(plan).not.toContain('SubPlan')
  })
})
