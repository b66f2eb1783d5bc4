import { adminPaths } from '#domain/admin-paths.ts'
import type { RecallsPreview } from '#server/recalls/preview-recalls.ts'
import { Link } from '../../../render/Link.tsx'
import { AdminCard, Facts } from '../orders/AdminCard.tsx'

const number = (count: number): string => count.toLocaleString('en-US')

/** What recalls will do to stock and orders. */
export function RecallEffects({ title, effects }: { title: string; effects: RecallsPreview }) {
  const { deletedPackages, deletedNames } = effects
  return (
    <AdminCard title={title}>
      <Facts
        facts={[
          ['Packages in the catalog', number(effects.packages)],
          ...(deletedPackages > 0
            ? ([['Deleted packages with a recalled code', number(deletedPackages)]] as const)
            : []),
          ...(effects.outsideCatalog > 0
            ? ([
                ['Recalls of packages outside the catalog', `${number(effects.outsideCatalog)}, kept`],
              ] as const)
            : []),
          ['Lots to quarantine', number(effects.lots.length)],
          ['Units without a lot to remove from stock', number(effects.looseUnits)],
          ['Packages without stock tracking to take off sale', number(effects.takenOffSale)],
          ['Open orders that can’t ship yet', number(effects.openOrders)],
          ['Items in those orders', number(effects.openLines)],
          ['Shipped orders affected', number(effects.shippedOrders)],
          ['Customers to email', number(effects.customers)],
          ...(effects.unreadableOrders > 0
            ? ([['Shipped orders that can’t be decrypted', number(effects.unreadableOrders)]] as const)
            : []),
        ]}
      />
      <p className="mt-3 text-muted">Each customer is emailed about a recall only once.</p>
      {deletedNames.length > 0 ? (
        <p className="mt-3 wrap-anywhere">
          These packages were deleted, but they have a recalled code, so their lots and customers count too:{' '}
          {deletedNames.join('; ')}.
        </p>
      ) : null}
      {effects.lots.length > 0 ? (
        <ul className="mt-3 grid gap-1">
          {effects.lots.map((lot) => (
            <li key={lot.lotId}>
              <Link to={adminPaths.lot(lot.lotId)} className="text-link">
                Lot {lot.lotNumber}
              </Link>
              , {number(lot.quantity)} {lot.quantity === 1 ? 'unit' : 'units'}: {lot.recallId}
            </li>
          ))}
        </ul>
      ) : null}
    </AdminCard>
  )
}
