import type { PatientList } from '#domain/patients/patient-labels.ts'
import type { ReactNode } from 'react'
import { PostForm } from '../../../ui/PostForm.tsx'

type ListFormProps = {
  intent: string
  patientId: string
  list?: PatientList
  /** Hidden fields. */
  values?: Record<string, string>
  className?: string
  children: ReactNode
}

/** One of the small forms of a patient's lists. */
export function ListForm({ intent, list, patientId, values = {}, className, children }: ListFormProps) {
  const hidden = { intent, patientId, ...(list && { list }), ...values }
  return (
    <PostForm preventScrollReset className={className}>
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </PostForm>
  )
}
