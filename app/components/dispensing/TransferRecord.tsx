import type { ItemSheet } from '#domain/dispensing/item-sheet.ts'
import { formatDay } from '../orders/order-labels.ts'
import { SheetFacts, SheetPharmacy } from './SheetParts.tsx'

type TransferRecordProps = { sheet: ItemSheet; paper: string }

/**
 * The record of an item that was closed, for the pharmacy that continues it. The fields are those
 * of 21 CFR 1306.25(b), which states use for other prescriptions too; both pharmacists write their
 * part by hand.
 */
export const TransferRecord = ({ sheet, paper }: TransferRecordProps) => (
  <article className={`paper paper-${paper}`} aria-label={`Transfer record of ${sheet.rxNumber}`}>
    <p className="rx-draft">VOID here. Nothing more is dispensed on it.</p>
    <h1 className="sheet-title">Transfer record</h1>
    {sheet.closed ? (
      <p>
        Closed on {formatDay(sheet.closed.on)}. {sheet.closed.reason}
      </p>
    ) : null}
    <h2 className="sheet-heading">Prescription</h2>
    <SheetFacts sheet={sheet} />
    <h2 className="sheet-heading">Dispensed so far</h2>
    {sheet.fills.length === 0 ? (
      <p>Nothing.</p>
    ) : (
      <ul className="sheet-columns">
        {sheet.fills.map(({ on, quantity }, index) => (
          <li key={`${index} ${on}`}>
            {formatDay(on)}: {quantity}
          </li>
        ))}
      </ul>
    )}
    <h2 className="sheet-heading">Transferring pharmacy</h2>
    <SheetPharmacy sheet={sheet} />
    <p className="sheet-line">
      <span>Pharmacist</span>
      <span>Date</span>
    </p>
    <h2 className="sheet-heading">Receiving pharmacy</h2>
    <p className="sheet-line">
      <span>Name and address</span>
      <span>Phone</span>
    </p>
    <p className="sheet-line">
      <span>Pharmacist</span>
      <span>Date</span>
    </p>
  </article>
)
