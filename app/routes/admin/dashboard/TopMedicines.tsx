import type { TopMedicine } from '#domain/dashboard/dashboard.ts'
import { paths } from '#domain/paths.ts'
import { Link } from '../../../render/Link.tsx'
import { Panel } from './Panel.tsx'

/** The best-selling medicines, with bars beside the figures. */
export function TopMedicines({ medicines, days }: { medicines: readonly TopMedicine[]; days: number }) {
  const max = Math.max(1, ...medicines.flatMap(({ units, previousUnits }) => [units, previousUnits]))
  return (
    <Panel title="Top medicines">
      {medicines.length === 0 ? (
        <p className="py-6 text-center text-muted">No sales in the last {days} days.</p>
      ) : (
        <table className="w-full text-start">
          <caption className="sr-only">
            Units sold in the last {days} days, and in the {days} days before that
          </caption>
          <thead className="text-muted">
            <tr>
              <th scope="col" className="text-start font-normal">
                Medicine
              </th>
              <th scope="col" className="text-end font-normal">
                Units
              </th>
              <th scope="col" className="ps-3 text-end font-normal">
                Previous
              </th>
            </tr>
          </thead>
          <tbody>
            {medicines.map(({ productId, name, kind, units, previousUnits }) => (
              <tr key={productId} className="border-t border-line">
                <th scope="row" className="py-2 pe-3 text-start font-semibold wrap-anywhere">
                  <Link to={paths.product(productId)} className="hover:underline">
                    {name}
                  </Link>{' '}
                  <span className="font-normal text-muted">{kind}</span>
                  <svg
                    viewBox="0 0 100 10"
                    preserveAspectRatio="none"
                    aria-hidden="true"
                    className="mt-1 block h-2.5 w-full"
                  >
                    <rect width={(units / max) * 100} height="6" className="fill-primary" />
                    <rect
                      y="7"
                      width={(Math.max(0, previousUnits) / max) * 100}
                      height="3"
                      className="fill-base-content/40"
                    />
                  </svg>
                </th>
                <td className="ps-3 text-end font-semibold tabular-nums">{units.toLocaleString('en-US')}</td>
                <td className="ps-3 text-end tabular-nums text-muted">
                  {previousUnits.toLocaleString('en-US')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
