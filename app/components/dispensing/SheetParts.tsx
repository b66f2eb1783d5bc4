import type { ItemSheet } from '#domain/dispensing/item-sheet.ts'
import type { ReactNode } from 'react'
import { formatDay } from '../orders/order-labels.ts'
import { medicineName } from './medicine-name.ts'

type SheetProps = { sheet: ItemSheet }

/** The facts of a prescription item. */
export function SheetFacts({ sheet }: SheetProps) {
  const { medicine, refills, refillsLeft } = sheet
  const last = sheet.fills.at(-1)
  return (
    <dl className="rx-facts">
      <Fact name="Patient">{sheet.patientName}</Fact>
      {sheet.dateOfBirth ? <Fact name="Date of birth">{formatDay(sheet.dateOfBirth)}</Fact> : null}
      <Fact name="Medicine">{medicineName(medicine)}</Fact>
      <Fact name="Directions">{sheet.directions}</Fact>
      <Fact name="Quantity">
        {sheet.quantity} for {sheet.daysSupply === 1 ? '1 day' : `${sheet.daysSupply} days`}
      </Fact>
      <Fact name="Refills">
        {refillsLeft} of {refills} left
      </Fact>
      <Fact name="Substitution">{sheet.mayBeSubstituted ? 'Allowed' : 'Dispense as written'}</Fact>
      <Fact name="Prescriber">{sheet.prescriberName}</Fact>
      <Fact name="Rx number">{sheet.rxNumber.replace(/^Rx /, '')}</Fact>
      <Fact name="Written">{formatDay(sheet.writtenOn)}</Fact>
      <Fact name="Valid until">{formatDay(sheet.lastValidOn)}</Fact>
      <Fact name="Last filled">{last ? formatDay(last.on) : 'Never'}</Fact>
    </dl>
  )
}

/** The pharmacy that filled it last, or the shop's phone number. */
export const SheetPharmacy = ({ sheet: { pharmacy, pharmacistPhone } }: SheetProps) => (
  <div>
    <p>
      <b>{pharmacy?.name ?? 'Meridian'}</b>
    </p>
    {pharmacy ? <p>{pharmacy.addressLines.join(', ')}</p> : null}
    <p>
      {[pharmacy?.phone ?? pharmacistPhone, pharmacy ? `License ${pharmacy.licenseNumber}` : null]
        .filter(Boolean)
        .join(' · ')}
    </p>
  </div>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
