import { marginPermille, percentLabel } from '#domain/catalog/margin.ts'

/** What of the price remains; below nothing it is a warning. */
export function Margin(row: { price: string | null; acquisitionCost: string | null }) {
  const permille = marginPermille(row)
  if (permille === null) return <span className="text-muted">–</span>
  return (
    <span className={permille < 0 ? 'font-semibold text-error' : undefined}>{percentLabel(permille)}</span>
  )
}
