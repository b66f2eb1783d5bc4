import type { Alert, AlertLevel } from './alert.ts'
import { toSource } from './alert-source.ts'
import type { ScreeningFacts } from './facts.ts'
import { moreSevere } from './order-alerts.ts'
import { compareRoutes, reachOf } from './routes.ts'
import { joinIngredients } from './product-ingredients.ts'
import type { CaseItem, ScreenedCase } from './screened-case.ts'

/** What dissolves others is in many products and no therapy. */
const diluents: ReadonlySet<string> = new Set(['WATER'])

/** The items that have the same ingredients in common, by those ingredients. */
type Shared = { level: AlertLevel; ingredients: string[]; items: Set<CaseItem> }

/**
 * The same ingredient in two lines, or in a line and what the patient takes. Ingredients that the
 * same items share are one alert.
 */
export function checkSameIngredient(
  { byIngredient }: ScreenedCase,
  facts: ScreeningFacts,
  today: string,
): Alert[] {
  const found = new Map<string, Shared>()
  for (const [ingredient, items] of byIngredient) {
    if (items.length < 2 || diluents.has(ingredient)) continue
    let level: AlertLevel | null = null
    const involved = new Set<CaseItem>()
    for (const a of items)
      for (const b of items) {
        if (a.index >= b.index) continue
        const pairLevel = compareItems(a, b, today)
        if (pairLevel === null) continue
        level = level === null ? pairLevel : moreSevere(level, pairLevel)
        involved.add(a).add(b)
      }
    if (level === null) continue
    const key = [...involved].map(({ index }) => index).join()
    const shared = found.get(key)
    if (shared) {
      shared.ingredients.push(ingredient)
      shared.level = moreSevere(shared.level, level)
    } else found.set(key, { level, ingredients: [ingredient], items: involved })
  }
  return [...found.values()].map(({ level, ingredients, items }) => {
    const lines = [...items].filter(({ line }) => line !== null)
    const taken = [...items].filter(({ line }) => line === null)
    const [first, second] = taken.length > 0 ? [lines, taken] : [lines.slice(0, 1), lines.slice(1)]
    const key = joinIngredients(ingredients)
    const sideOf = (side: readonly CaseItem[]) => ({
      key,
      items: side.map(({ item }) => item),
      sets: [...new Set(side.map(({ set }) => set))].sort(),
      itemIds: [...new Set(side.flatMap((item) => itemIdOf(item) ?? []))].sort(),
    })
    return {
      key: `same-ingredient:${key}`,
      kind: 'same-ingredient',
      level,
      isFolded: level === 'low',
      audience: 'everyone',
      effect: null,
      first: sideOf(first),
      second: sideOf(second),
      detail: '',
      sources: [toSource(facts, 'ingredient-names')],
    }
  })
}

/** How grave it is that two items have an ingredient in common; null when it is none of both. */
function compareItems(a: CaseItem, b: CaseItem, today: string): AlertLevel | null {
  if ((a.line === null && b.line === null) || isContinuation(a, b, today)) return null
  const routes = compareRoutes(a.route, b.route)
  if (routes === 'apart') return null
  // Two creams or two sunscreens of the same ingredient reach no more than one.
  if (routes === 'partly' || reachOf(a.route) === 'surface') return 'low'
  return isDeliberate(a, b) ? 'medium' : 'high'
}

const itemIdOf = ({ line, medication }: CaseItem): string | null => line?.itemId ?? medication?.itemId ?? null

const strengthOf = ({ line, medication }: CaseItem): string => line?.strength ?? medication?.strength ?? ''

/**
 * Whether one item goes on with the other: another pack of the same line, an earlier fill of the
 * same prescription item, the patient's own listing of the medicine, or a supply that is due.
 */
function isContinuation(a: CaseItem, b: CaseItem, today: string): boolean {
  if (a.set !== b.set) return false
  const itemId = itemIdOf(a)
  if (itemId !== null && itemId === itemIdOf(b)) return true
  if (a.line !== null && b.line !== null) return a.line.variantId === b.line.variantId
  const taken = a.medication ?? b.medication
  if (taken === null) return false
  if (taken.source === 'listed') return true
  const isDue = taken.refillsFrom !== undefined && taken.refillsFrom <= today
  return isDue && strengthOf(a) === strengthOf(b)
}

/** Two strengths of one medicine, each on its own prescription item. */
function isDeliberate(a: CaseItem, b: CaseItem): boolean {
  const [itemA, itemB] = [itemIdOf(a), itemIdOf(b)]
  if (a.set !== b.set || itemA === null || itemB === null || itemA === itemB) return false
  const [strengthA, strengthB] = [strengthOf(a), strengthOf(b)]
  return strengthA !== '' && strengthB !== '' && strengthA !== strengthB
}
