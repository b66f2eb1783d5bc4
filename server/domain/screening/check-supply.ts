import type { Alert } from './alert.ts'
import { toSource } from './alert-source.ts'
import type { ScreeningFacts, ShortageFact } from './facts.ts'
import type { ScreenedLine } from './line.ts'
import { judgeRecall } from './recall-outcome.ts'
import { joinIngredients } from './product-ingredients.ts'
import type { ScreenedCase } from './screened-case.ts'

/**
 * Recalls of the lines' packages. A listed lot, or an ongoing recall of all lots, blocks the stock.
 * An ongoing recall where the lot is not known needs a look at the pack.
 */
export function checkRecalls({ items }: ScreenedCase, facts: ScreeningFacts): Alert[] {
  const alerts: Alert[] = []
  for (const { line, item } of items) {
    if (line === null) continue
    const codes = [line.ndc, ...line.shopCodes]
    // A recall may name a package by several codes.
    const seen = new Set<string>()
    for (const recall of facts.recalls) {
      if (!codes.includes(recall.code) || seen.has(recall.number)) continue
      seen.add(recall.number)
      const outcome = judgeRecall(recall, line.lots)
      if (outcome === null) continue
      alerts.push({
        key: `recall:${recall.number}:${line.variantId}`,
        kind: 'recall',
        ...outcome,
        isFolded: false,
        audience: 'staff',
        first: { key: joinIngredients(line.ingredients), items: [item] },
        second: null,
        detail: recall.reason,
        sources: [
          toSource(facts, recall.list, {
            grade: `Class ${recall.class}, ${recall.status.toLowerCase()}, ${recall.number}`,
            labelDate: recall.date,
          }),
        ],
      })
    }
  }
  return alerts
}

/** Shortages of a line's package, else of its ingredients. For staff: they reorder. */
export function checkShortages({ items }: ScreenedCase, facts: ScreeningFacts): Alert[] {
  const alerts = new Map<string, Alert>()
  for (const { line, item } of items) {
    if (line === null || line.ingredients.length === 0) continue
    const shortage = findShortage(line, facts.shortages)
    if (shortage === null) continue
    const set = joinIngredients(line.ingredients)
    const key = `shortage:${set}`
    const known = alerts.get(key)
    alerts.set(key, {
      key,
      kind: 'shortage',
      level: 'information',
      isFolded: false,
      audience: 'staff',
      effect: null,
      first: { key: set, items: [...(known?.first.items ?? []), item] },
      second: null,
      detail: shortage.reason ?? '',
      sources: known?.sources ?? [
        toSource(facts, 'shortages', { grade: shortage.status, labelDate: shortage.date }),
      ],
    })
  }
  return [...alerts.values()]
}

/** A shortage of a line's package, else of its ingredients. */
export function findShortage(
  line: Pick<ScreenedLine, 'ndc' | 'ingredients'>,
  shortages: readonly ShortageFact[],
): ShortageFact | null {
  const open = shortages.filter(({ status }) => status !== 'Resolved')
  const set = joinIngredients(line.ingredients)
  return (
    open.find(({ ndc }) => ndc !== null && ndc === line.ndc) ??
    open.find(({ ingredients }) => ingredients === set) ??
    null
  )
}
