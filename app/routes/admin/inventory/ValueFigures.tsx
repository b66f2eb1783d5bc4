import type { StockValue } from '#domain/inventory/inventory-grid.ts'
import { trpc } from '../../../http/trpc.ts'
import { money } from '../frame/money.ts'

const missingHint = (units: number, noun: string): string | null =>
  units > 0 ? `${units.toLocaleString('en-US')} ${units === 1 ? 'unit has' : 'units have'} no ${noun}` : null

/** The value of all stock on hand. */
export function ValueFigures({ loaded }: { loaded: StockValue }) {
  const { data: value } = trpc.inventory.value.useQuery(undefined, { initialData: loaded })
  const { units, atCost, atPrice, withoutCost, withoutPrice } = value
  return (
    <dl className="mb-5 grid gap-3 sm:grid-cols-3">
      <Figure name="Units on hand" value={units.toLocaleString('en-US')} hint={null} />
      <Figure name="Cost value" value={money(atCost)} hint={missingHint(withoutCost, 'cost')} />
      <Figure name="Retail value" value={money(atPrice)} hint={missingHint(withoutPrice, 'price')} />
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
