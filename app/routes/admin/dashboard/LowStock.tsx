import { countedTo, type LowStock as Low } from '#domain/dashboard/dashboard.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Link } from '../../../ui/Link.tsx'
import { Panel } from './Panel.tsx'

const counted = (count: number): string =>
  count > countedTo ? `more than ${countedTo.toLocaleString('en-US')}` : count.toLocaleString('en-US')

/** What runs out: 10 or less on hand (specification, section 4). */
export const LowStock = ({ lowStock: { few, none, rows } }: { lowStock: Low }) => (
  <Panel
    title="Low stock"
    more={
      <Link to="/admin/inventory" className="text-link">
        Inventory
      </Link>
    }
  >
    {rows.length === 0 ? (
      <p className="py-6 text-center text-muted">Everything has more than 10 on hand.</p>
    ) : (
      <p className="text-muted">
        {counted(few)} with 1 to 10 left, {counted(none)} with none on hand.
      </p>
    )}
    <ul>
      {rows.map((row) => (
        <li key={row.variantId} className="flex items-center gap-3 border-t border-line py-2 first:border-0">
          <p className="min-w-0 flex-1 wrap-anywhere">
            <b>{row.name}</b>
            {row.brandName ? ` (${row.brandName})` : ''} {row.strength} {row.strengthUnit}, {row.packageSize}{' '}
            {row.packageUnit}
          </p>
          <Badge tone={row.stockQuantity === 0 ? 'error' : 'warning'}>
            {row.stockQuantity === 0 ? 'None left' : `${row.stockQuantity} left`}
          </Badge>
        </li>
      ))}
    </ul>
  </Panel>
)
