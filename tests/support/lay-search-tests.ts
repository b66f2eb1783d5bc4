import type { Db } from '#db/engine/client.ts'
import { searchProducts } from '#server/search/search-products.ts'
import { readFileSync } from 'node:fs'

/**
 * A query as people type it, and what its products must be (tests/fixtures/search/README.md,
 * "lay-tests.tsv").
 */
export type LaySearchTest = {
  id: string
  kind: string
  query: string
  rule: string
  products: string[]
  forms: string[]
  routes: string[]
}

export function readLaySearchTests(path: string): LaySearchTest[] {
  const [, ...lines] = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => {
    const [id = '', kind = '', query = '', rule = '', product = '', form = '', route = ''] = line.split('\t')
    const list = (cell: string): string[] => cell.split('|').filter(Boolean)
    return { id, kind, query, rule, products: list(product), forms: list(form), routes: list(route) }
  })
}

/** Null when the search passes the test, else the results, with "!" before unexpected ones. */
export async function findLaySearchFailure(db: Db, test: LaySearchTest): Promise<string | null> {
  const { products, repairedQuery, relaxed } = await searchProducts(
    { reads: db },
    { q: test.query, limit: 20, byNeed: true },
  )
  const isExpected = ({ name, forms, route }: (typeof products)[number]): boolean =>
    test.products.some((wanted) =>
      wanted.startsWith('=') ? name.toLowerCase() === wanted.slice(1) : name.toLowerCase().includes(wanted),
    ) &&
    (test.forms.length === 0 || test.forms.some((form) => forms.some((own) => own === form))) &&
    (test.routes.length === 0 || test.routes.includes(route ?? ''))
  const passes = {
    top1: () => products.slice(0, 1).some(isExpected),
    top5: () => products.slice(0, 5).some(isExpected),
    p10: () => products.length > 0 && products.slice(0, 10).every(isExpected),
    top20: () => products.slice(0, 20).some(isExpected),
    none: () => products.length === 0,
  }[test.rule]
  if (!passes) throw new Error(`Unknown rule ${test.rule}.`)
  if (passes()) return null
  const found = products
    .slice(0, 6)
    .map((card) => `${isExpected(card) ? '' : '!'}${card.name} (${card.route}, ${card.forms.join('/')})`)
  return `${test.id} ${test.kind} ${test.rule} "${test.query}" as "${repairedQuery ?? test.query}", ignored ${relaxed?.ignored.join(', ') || '-'}: ${found.join(' | ')}`
}
