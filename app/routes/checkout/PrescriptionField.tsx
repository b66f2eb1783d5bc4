import * as checkoutMessages from '#domain/checkout/checkout-messages.ts'
import { paths } from '#domain/paths.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { Link } from '../../render/Link.tsx'
import type { PrescriptionOption } from './prescription-options.server.ts'

type PrescriptionFieldProps = {
  prescriptions: readonly PrescriptionOption[]
  selectedId: string
  /** Whether some line has no item of its own. */
  isRequired: boolean
  error: string | undefined
  onChoose: (id: string) => void
}

const uploadPath = paths.uploadPrescriptionForCheckout

/** The prescription for the lines without an item of their own (contract, "Labels", Checkout). */
export const PrescriptionField = ({
  prescriptions,
  selectedId,
  isRequired,
  error,
  onChoose,
}: PrescriptionFieldProps) => (
  <>
    {prescriptions.length > 0 ? (
      <SelectField
        id="prescriptionId"
        name="prescriptionId"
        label="Prescription"
        required={isRequired}
        defaultValue={selectedId}
        onChange={(event) => onChoose(event.currentTarget.value)}
        error={error}
        hint={
          isRequired
            ? 'You can order with a prescription that is still under review. A pharmacist checks each medicine before it ships.'
            : 'Your prescriptions cover these items, so you don’t need to choose one.'
        }
      >
        <option value="">Choose a prescription</option>
        {prescriptions.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </SelectField>
    ) : (
      <div
        id="prescriptionId"
        tabIndex={-1}
        className={`rounded-field border p-4 ${error ? 'border-error' : 'border-warning/60'}`}
      >
        <p className="font-medium">{checkoutMessages.noPrescription}</p>
        {error ? <p className="mt-1 text-sm font-medium text-error">{error}</p> : null}
        <LinkButton to={uploadPath} className="mt-4 max-sm:w-full">
          Upload a prescription
        </LinkButton>
      </div>
    )}
    {prescriptions.length > 0 ? (
      <p className="mt-2">
        <Link to={uploadPath} className="text-link inline-flex min-h-11 items-center">
          Upload another prescription
        </Link>
      </p>
    ) : null}
  </>
)
