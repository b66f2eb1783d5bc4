import type { StockValue } from '#domain/inventory/inventory-grid.ts'
import { money } from '../frame/money.ts'

const missing = (units: number, what: string): string | null =>
  units > 0 ? `${units.toLocaleString('en-US')} units have no ${what}` : null

/** What all that is at hand is worth. */
export function ValueFigures({ value }: { value: StockValue }) {
  const { units, atCost, atPrice, withoutCost, withoutPrice } = value
  return (
    <dl className="mb-5 grid gap-3 sm:grid-cols-3">
      <Figure name="Units on hand" value={units.toLocaleString('en-US')} hint={null} />
      <Figure name="Value at cost" value={money(atCost)} hint={missing(withoutCost, 'known cost')} />
      <Figure name="Value at price" value={money(atPrice)} hint={missing(withoutPrice, 'price')} />
    </dl>
  )
}

const Figure = ({ name, value, hint }: { name: string; value: string; hint: string | null }) => (
  <div className="card px-4 py-3">
    <dt className="text-muted">{name}</dt>
    <dd className="text-xl font-bold tabular-nums">{value}</dd>
    {hint ? <dd className="text-sm text-muted">{hint}</dd> : null}
  </div>
)
