import { adminPaths } from '#domain/admin-paths.ts'
import type { CasePrescription } from '#domain/dispensing/case-prescription.ts'
import { duplicateField } from '#domain/dispensing/duplicate-note.ts'
import { groupBy } from '#domain/group-by.ts'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { Link } from '../../../render/Link.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import type { Fields } from './case-fields.ts'

type DuplicatesProps = {
  duplicates: CasePrescription['possibleDuplicates']
  /** By field, those for which a transcription was refused. */
  refused: Fields
}

/** What a prescription may be a copy of: as the case was read, and what a save found since. */
export function Duplicates({ duplicates, refused }: DuplicatesProps) {
  const listed = new Set(duplicates.map(({ prescriptionId }) => duplicateField(prescriptionId)))
  const refusedOnly = Object.entries(refused).filter(([field]) => !listed.has(field))
  if (duplicates.length + refusedOnly.length === 0) return null
  const sameCustomer = duplicates.filter(({ isOtherCustomer }) => !isOtherCustomer)
  // Only the day is shown of other customers' prescriptions.
  const otherCustomers = duplicates.filter(({ isOtherCustomer }) => isOtherCustomer)
  return (
    <Alert kind="warning" title="Possibly a duplicate">
      <ul className="grid gap-1">
        {sameCustomer.map(({ prescriptionId, rxNumber, uploadedAt, reason, medicine }) => (
          <li key={prescriptionId}>
            <Link to={adminPaths.prescriptionsWith({ id: prescriptionId })} className="text-link">
              {rxNumber}
            </Link>
            , uploaded {formatDay(uploadedAt)}:{' '}
            {reason === 'file' ? 'the same file' : 'the same patient, prescriber, date and medicine'}
            {medicine ? ` (${medicine})` : ''}
          </li>
        ))}
        {[...groupBy(otherCustomers, ({ uploadedAt }) => formatDay(uploadedAt))].map(([day, { length }]) => (
          <li key={day}>
            {length === 1
              ? 'A prescription of another customer'
              : `${length} prescriptions of other customers`}
            , uploaded {day}: the same file
          </li>
        ))}
        {[...new Set(refusedOnly.map(([, sentence]) => sentence))].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Alert>
  )
}
