import { listScreenedVariants, listShortagesOf } from '#db/screening/facts.ts'
import { findShortage } from '#domain/screening/check-supply.ts'
import { toPackageDigits } from '#domain/screening/recall-codes.ts'
import { joinIngredients } from '#domain/screening/product-ingredients.ts'
import type { Context } from '../context.ts'

/** What the list of shortages says of these variants, by variant, for the staff who reorder. */
export async function findShortages(
  { db }: Pick<Context, 'db'>,
  variantIds: readonly string[],
): Promise<Map<string, string>> {
  const variants = new Map<string, { ndc: string | null; ingredients: string[] }>()
  for (const { id, ndc, ingredient } of await listScreenedVariants(db, variantIds)) {
    const variant = variants.get(id) ?? { ndc, ingredients: [] }
    if (ingredient !== null) variant.ingredients.push(ingredient)
    variants.set(id, variant)
  }
  const lines = [...variants].map(([id, { ndc, ingredients }]) => ({
    id,
    ndc: ndc === null ? null : toPackageDigits(ndc),
    ingredients: ingredients.toSorted(),
  }))
  const facts = await listShortagesOf(db, {
    codes: lines.flatMap(({ ndc }) => ndc ?? []),
    sets: lines.flatMap(({ ingredients }) => (ingredients.length > 0 ? joinIngredients(ingredients) : [])),
  })
  const found = new Map<string, string>()
  for (const line of facts.length === 0 ? [] : lines) {
    const shortage = line.ingredients.length === 0 ? null : findShortage(line, facts)
    if (shortage !== null) found.set(line.id, shortage.status)
  }
  return found
}
