import type { ItemSheet } from '#domain/dispensing/item-sheet.ts'
import { formatDay } from '../orders/order-labels.ts'
import { SheetFacts, SheetPharmacy } from './SheetParts.tsx'

type RefillRequestProps = { sheet: ItemSheet; paper: string }

/**
 * What a patient gives their prescriber to ask for a new prescription, with room for the answer.
 */
export const RefillRequest = ({ sheet, paper }: RefillRequestProps) => (
  <article className={`paper paper-${paper}`} aria-label={`Refill request for ${sheet.rxNumber}`}>
    <h1 className="sheet-title">Request for a new prescription</h1>
    <p>
      To {sheet.prescriberName}. From {sheet.patientName}, on {formatDay(sheet.printedOn)}.
    </p>
    <h2 className="sheet-heading">What was prescribed</h2>
    <SheetFacts sheet={sheet} />
    <h2 className="sheet-heading">For the prescriber</h2>
    <p>
      <span className="sheet-box" /> I will send a new prescription for the same medicine and directions
    </p>
    <p>
      <span className="sheet-box" /> I will send a modified prescription
    </p>
    <p>
      <span className="sheet-box" /> Please make an appointment first
    </p>
    <p>
      <span className="sheet-box" /> I won’t prescribe this medicine again
    </p>
    <p className="sheet-line">
      <span>Prescriber’s signature</span>
      <span>NPI or license number</span>
      <span>Date</span>
    </p>
    <p className="rx-pharmacy">
      This is a request, not a prescription. Nothing can be dispensed from it. Give the new prescription to
      the patient, or send it to the pharmacy.
    </p>
    <SheetPharmacy sheet={sheet} />
  </article>
)
