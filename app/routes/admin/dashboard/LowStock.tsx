import { packLabel, strengthLabel } from '#domain/catalog/catalog.ts'
import { countLimit, type LowStock as Low } from '#domain/dashboard/dashboard.ts'
import { lowStock as lowStockLimit } from '#domain/inventory/inventory.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Link } from '../../../render/Link.tsx'
import { Panel } from './Panel.tsx'

const countLabel = (count: number): string =>
  count > countLimit ? `more than ${countLimit.toLocaleString('en-US')}` : count.toLocaleString('en-US')

/** Variants with `lowStock` or fewer on hand (specification, section 4). */
export const LowStock = ({ lowStock: { lowCount, outOfStockCount, rows } }: { lowStock: Low }) => (
  <Panel
    title="Low stock"
    more={
      <Link to={adminPaths.inventory} className="text-link">
        Inventory
      </Link>
    }
  >
    {rows.length === 0 ? (
      <p className="py-6 text-center text-muted">Every variant has more than {lowStockLimit} on hand.</p>
    ) : (
      <p className="text-muted">
        {countLabel(lowCount)} with 1 to {lowStockLimit} left, {countLabel(outOfStockCount)} out of stock.
      </p>
    )}
    <ul>
      {rows.map((row) => (
        <li key={row.variantId} className="flex items-center gap-3 border-t border-line py-2 first:border-0">
          <p className="min-w-0 flex-1 wrap-anywhere">
            <b>{row.name}</b>
            {row.brandName ? ` (${row.brandName})` : ''} {strengthLabel(row)}, {packLabel(row)}
          </p>
          <Badge tone={row.stockQuantity === 0 ? 'error' : 'warning'}>
            {row.stockQuantity === 0 ? 'Out of stock' : `${row.stockQuantity} left`}
          </Badge>
        </li>
      ))}
    </ul>
  </Panel>
)
