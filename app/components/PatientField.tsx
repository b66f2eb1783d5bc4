import type { ReactNode } from 'react'
import { SelectField } from '../ui/Field.tsx'

type PatientFieldProps = {
  label: string
  hint?: string
  /** The customer and the people they care for. */
  patients: readonly { id: string; name: string; isSelf: boolean }[]
  defaultValue: string | undefined
  required?: boolean
  error: string | undefined
  /** An option before the people. */
  children?: ReactNode
}

/** Whom a prescription or an order is for. */
export const PatientField = ({ patients, children, ...field }: PatientFieldProps) => (
  <SelectField id="patientId" name="patientId" {...field}>
    {children}
    {patients.map(({ id, name, isSelf }) => (
      <option key={id} value={id}>
        {isSelf ? `${name} (you)` : name}
      </option>
    ))}
  </SelectField>
)
