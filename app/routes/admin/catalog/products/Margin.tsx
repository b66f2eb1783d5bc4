import { marginPermille, percentLabel } from '#domain/catalog/margin.ts'

/** The margin as a percentage of the price; a negative one is highlighted. */
export function Margin(row: { price: string | null; acquisitionCost: string | null }) {
  const permille = marginPermille(row)
  if (permille === null) return <span className="text-muted">–</span>
  return (
    <span className={permille < 0 ? 'font-semibold text-error' : undefined}>{percentLabel(permille)}</span>
  )
}
