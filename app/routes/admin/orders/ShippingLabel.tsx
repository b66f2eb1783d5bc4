import type { ShippingLabel as Label } from '#domain/orders/packages.ts'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { Barcode } from './Barcode.tsx'

/**
 * The outside of the package, 4 by 6 inches. Strangers read it, so it names no medicine and no
 * pharmacy, only the street that a return goes to.
 */
export const ShippingLabel = ({ label }: { label: Label }) => (
  <article className="paper paper-label ship-label" aria-label="Shipping label">
    <div className="ship-row">
      <p>
        From
        <b>Meridian</b>
        <Lines lines={label.fromLines} />
      </p>
      <p>
        Order
        <b className="rx-number">{orderRef(label.orderId)}</b>
      </p>
    </div>
    <p>Ship to</p>
    <address className="ship-to">
      <Lines lines={label.toLines} />
    </address>
    <div className="ship-carrier">
      {label.carrier ? <b>{label.carrier}</b> : null}
      {label.trackingNumber ? (
        <>
          <Barcode text={label.trackingNumber} />
          <p className="ship-number">{label.trackingNumber}</p>
        </>
      ) : (
        <p>No tracking number yet</p>
      )}
    </div>
  </article>
)

/** Lines of an address. */
export const Lines = ({ lines }: { lines: readonly string[] }) =>
  lines.map((line, index) => (
    <span key={`${index} ${line}`} className="ship-line">
      {line}
    </span>
  ))
