import type { DispensingLabel } from '#domain/dispensing/label.ts'
import { SideEffects } from './SideEffects.tsx'
import { medicineName } from '../../../components/dispensing/medicine-name.ts'

type LeafletCardProps = { label: DispensingLabel; paper: string; isDraft: boolean }

/**
 * The sheet that goes into the package: the label's facts in large type, whom to ask, and where the
 * official leaflet is. The shop writes no leaflet text of its own, and the addresses are printed
 * text: looking a medicine up stays the patient's choice.
 */
export function LeafletCard({ label, paper, isDraft }: LeafletCardProps) {
  const { medicine } = label
  const isCanadian = medicine.identifier?.startsWith('DIN') ?? false
  return (
    <article className={`paper paper-${paper}`} aria-label={`Leaflet for ${label.rxNumber}`}>
      {isDraft ? <p className="rx-draft">DRAFT. Not for dispensing.</p> : null}
      <h1 className="sheet-title">Your medicine</h1>
      <p>
        For {label.patientName}, {label.rxNumber}
      </p>
      <h2 className="sheet-heading">Medicine</h2>
      <p className="rx-medicine">{medicineName(medicine)}</p>
      {label.genericFor ? <p>Generic for {label.genericFor}</p> : null}
      <h2 className="sheet-heading">How to use it</h2>
      <p className="rx-directions" data-long={label.directions.length > 200 || undefined}>
        {label.directions}
      </p>
      <p>{label.storage}</p>
      <p>Prescribed by {label.prescriberName}</p>
      {label.warnings.length > 0 ? (
        <ul className="rx-warnings">
          {label.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      ) : null}
      <h2 className="sheet-heading">Talk with a pharmacist</h2>
      <p>
        A pharmacist will explain this medicine to you and answer your questions. Call{' '}
        <b className="rx-number">{label.pharmacistPhone}</b>.
      </p>
      <h2 className="sheet-heading">Side effects</h2>
      <SideEffects />
      <h2 className="sheet-heading">The official leaflet</h2>
      <p>
        {isCanadian
          ? 'Health Canada publishes it in the Drug Product Database, at health-products.canada.ca/dpd-bdpp.'
          : 'The U.S. National Library of Medicine publishes it on DailyMed, at dailymed.nlm.nih.gov.'}{' '}
        {medicine.identifier
          ? `Search for ${medicine.identifier}, or for the medicine’s name.`
          : 'Search for the medicine’s name.'}
      </p>
      {label.hasGuideEnclosed ? <p>Read the enclosed Medication Guide too.</p> : null}
      <div className="rx-pharmacy">
        {label.pharmacy ? (
          <p>
            <b>{label.pharmacy.name}</b>,{' '}
            {[...label.pharmacy.addressLines, label.pharmacy.phone, `License ${label.pharmacy.licenseNumber}`]
              .filter(Boolean)
              .join(', ')}
          </p>
        ) : null}
      </div>
    </article>
  )
}
