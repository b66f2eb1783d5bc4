import type { PatientList } from '#domain/patients/patient-labels.ts'
import type { ReactNode } from 'react'
import { Form, useNavigation } from 'react-router'

type ListFormProps = {
  intent: string
  patientId: string
  list?: PatientList
  /** Hidden fields. */
  values?: Record<string, string>
  className?: string
  children: ReactNode
}

/** One of the small forms of a patient's lists. It ignores a submit while another is pending. */
export function ListForm({ intent, list, patientId, values = {}, className, children }: ListFormProps) {
  const isPending = useNavigation().formMethod !== undefined
  const hidden = { intent, patientId, ...(list && { list }), ...values }
  return (
    <Form
      method="post"
      noValidate
      preventScrollReset
      className={className}
      onSubmit={(event) => {
        if (isPending) event.preventDefault()
      }}
    >
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </Form>
  )
}
