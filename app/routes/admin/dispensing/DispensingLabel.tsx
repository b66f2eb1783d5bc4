import type { DispensingLabel as Label } from '#domain/dispensing/label.ts'
import type { ReactNode } from 'react'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { SideEffects } from './SideEffects.tsx'
import { medicineName } from '../../../components/dispensing/medicine-name.ts'

/** Directions of more characters are set in smaller type, but never below USP's 11 points. */
const longDirections = 120

type DispensingLabelProps = { label: Label; paper: string; isDraft: boolean }

/**
 * The label of a dispensed line. What the patient needs first comes first, and the pharmacy last
 * (USP chapter <17>); the fields are those of 21 USC 353(b)(2) and state boards.
 */
export function DispensingLabel({ label, paper, isDraft }: DispensingLabelProps) {
  const { medicine, pharmacy } = label
  return (
    <article className={`paper paper-${paper}`} aria-label={`Label for ${label.rxNumber}`}>
      {isDraft ? <p className="rx-draft">DRAFT. Not for dispensing.</p> : null}
      <p className="rx-patient">{label.patientName}</p>
      <p className="rx-medicine">{medicineName(medicine)}</p>
      {label.genericFor ? <p>Generic for {label.genericFor}</p> : null}
      <p className="rx-directions" data-long={label.directions.length > longDirections || undefined}>
        {label.directions}
      </p>
      <dl className="rx-facts rx-short">
        <Fact name="Quantity">
          {label.quantity}, {label.daysSupply === 1 ? '1 day' : `${label.daysSupply} days`}
        </Fact>
        <Fact name="Refills left">{label.refillsLeft}</Fact>
        <Fact name="Filled">{formatDay(label.filledOn)}</Fact>
        <Fact name="Discard after">{formatDay(label.discardAfter)}</Fact>
      </dl>
      <dl className="rx-facts">
        <Fact name="Rx number">{label.rxNumber.replace(/^Rx /, '')}</Fact>
        <Fact name="Prescriber">{label.prescriberName}</Fact>
        {medicine.labeler ? <Fact name="Labeler">{medicine.labeler}</Fact> : null}
        {medicine.identifier ? <Fact name="Product">{medicine.identifier}</Fact> : null}
        {label.lot ? <Fact name="Lot">{label.lot}</Fact> : null}
      </dl>
      {label.warnings.length > 0 ? (
        <ul className="rx-warnings">
          {label.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      ) : null}
      <p>{label.storage}</p>
      {label.hasGuideEnclosed ? <p>Read the enclosed Medication Guide.</p> : null}
      <SideEffects />
      <p>
        Questions? Call a pharmacist: <b className="rx-number">{label.pharmacistPhone}</b>
      </p>
      <div className="rx-pharmacy">
        {pharmacy ? (
          <>
            <p>
              <b>{pharmacy.name}</b>
            </p>
            <p>{pharmacy.addressLines.join(', ')}</p>
            <p>{[pharmacy.phone, `License ${pharmacy.licenseNumber}`].filter(Boolean).join(' · ')}</p>
          </>
        ) : null}
        <p>Pharmacist: {label.initials ?? '–'}</p>
      </div>
    </article>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
