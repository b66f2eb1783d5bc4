import { listNameDecisions, listProductsOfNames, listUnknownNames } from '#db/screening/ingredient-names.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'

/** A name that no list has, with some of its products. */
export type UnknownName = {
  name: string
  products: number
  examples: { productId: string; productName: string }[]
}

const namesPerPage = 50
const examplesPerName = 5
const decisionsShown = 100

/**
 * Names of substances that no list has, with the products that use them: orders are not screened
 * for them. Throws UNAUTHENTICATED, FORBIDDEN.
 * @param after the position to start after, as `next` of the page before
 */
export async function listIngredientNames(
  ctx: Context,
  after: string | null,
): Promise<{
  names: UnknownName[]
  next: string | null
  decisions: { name: string; ingredient: string | null; updatedAt: Date }[]
}> {
  requirePermission(ctx, 'catalog.write')
  const names = await listUnknownNames(ctx.db, { after: parsePosition(after), limit: namesPerPage + 1 })
  const shown = names.slice(0, namesPerPage)
  const examples = await listProductsOfNames(
    ctx.db,
    shown.map(({ name }) => name),
    examplesPerName,
  )
  const last = shown.at(-1)
  return {
    names: shown.map(({ name, products }) => ({
      name,
      products,
      examples: examples.filter((example) => example.name === name),
    })),
    next: last && names.length > shown.length ? `${last.products} ${last.name}` : null,
    decisions: await listNameDecisions(ctx.db, decisionsShown),
  }
}

function parsePosition(after: string | null): { products: number; name: string } | null {
  const [, products, name] = /^(\d{1,9}) (.{1,1000})$/.exec(after ?? '') ?? []
  return products !== undefined && name !== undefined ? { products: Number(products), name } : null
}
