import { packLabel, strengthLabel } from '#domain/catalog/catalog.ts'
import { formLabel } from '#domain/catalog/form-label.ts'
import { packFactsText, type PackedLine, type PackingSlip as Slip } from '#domain/orders/packages.ts'
import { formatDay, orderRef } from '../../../components/orders/order-labels.ts'
import { lotText } from './lot-text.ts'
import { Lines } from './ShippingLabel.tsx'

type PackingSlipProps = { slip: Slip; paper: string }

/**
 * Two pages: the first can be on the outside of the package and names no medicine; the second lists
 * the contents and goes inside.
 */
export function PackingSlip({ slip, paper }: PackingSlipProps) {
  const units = slip.lines
    .filter(({ problem }) => problem === null)
    .reduce((sum, { quantity }) => sum + quantity, 0)
  return (
    <article className={`paper paper-${paper}`} aria-label="Packing slip">
      <section aria-labelledby="outside">
        <p className="sheet-title">Meridian</p>
        <h2 id="outside" className="sheet-heading">
          Ship to
        </h2>
        <address className="ship-to">
          <Lines lines={slip.toLines} />
        </address>
        <h2 className="sheet-heading">Order</h2>
        <p>
          {orderRef(slip.orderId)}, placed on {formatDay(slip.placedAt)}
        </p>
        {slip.carrier || slip.trackingNumber ? (
          <p>{[slip.carrier, slip.trackingNumber].filter(Boolean).join(' ')}</p>
        ) : null}
        <p>
          {units} {units === 1 ? 'item' : 'items'} in this package
        </p>
      </section>
      <section aria-labelledby="contents" className="sheet-next">
        <h2 id="contents" className="sheet-title">
          Contents of order {orderRef(slip.orderId)}
        </h2>
        <p>Put this page inside the package.</p>
        <table className="sheet-table">
          <thead>
            <tr>
              <th scope="col">Item</th>
              <th scope="col">Quantity</th>
              <th scope="col">Packed</th>
            </tr>
          </thead>
          <tbody>
            {slip.lines.map((line) => (
              <Row key={line.id} line={line} />
            ))}
          </tbody>
        </table>
        <p>
          <b>
            {units} {units === 1 ? 'item' : 'items'} in this package
          </b>
        </p>
        <p className="sheet-line">
          <span>Packed by</span>
          <span>Checked by</span>
        </p>
      </section>
    </article>
  )
}

function Row({
  line: { product, variant, quantity, pack, lots, enclosures, problem, warning },
}: {
  line: PackedLine
}) {
  return (
    <tr>
      <td>
        <b>
          {product.name}
          {variant.brandName ? ` (${variant.brandName})` : ''}
        </b>
        <span className="ship-line">
          {product.id === ''
            ? ''
            : [strengthLabel(variant), formLabel(variant), packLabel(variant)].filter(Boolean).join(', ')}
        </span>
        <span className="ship-line">{packFactsText(pack)}</span>
        {lots.map(({ lotId, ...lot }) => (
          <span key={lotId} className="ship-line">
            {lotText(lot, quantity)}
          </span>
        ))}
        {problem ? <b className="ship-line">Don’t pack: {problem}</b> : null}
        {/* For the packer: the customer gets this page. */}
        {warning ? <b className="ship-line print:hidden">Check first: {warning}</b> : null}
      </td>
      <td>{problem ? 0 : quantity}</td>
      <td>
        {problem ? null : (
          <>
            {['Item', ...enclosures].map((name) => (
              <span key={name} className="ship-line rx-number">
                <span className="sheet-box" />
                {name}
              </span>
            ))}
          </>
        )}
      </td>
    </tr>
  )
}
