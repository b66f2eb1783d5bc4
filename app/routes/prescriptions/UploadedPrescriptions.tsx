import { usedPrescriptionMessage } from '#domain/prescriptions/prescriptions.ts'
import { useEffect, useRef, useState } from 'react'
import type { FormFailure } from '../../http/form-failure.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FileText } from '../../ui/icons.tsx'
import { useQueryParams } from '../../ui/use-query-params.ts'
import { DeleteButton, DeleteDialog, DeleteQuestion } from './DeletePrescription.tsx'
import { PrescriptionCard, prescriptionName, type PrescriptionView } from './PrescriptionCard.tsx'

type UploadedPrescriptionsProps = {
  prescriptions: readonly PrescriptionView[]
  /** Whether the list follows another one. */
  hasHeading: boolean
  messageKey: string
  failure: FormFailure | null
}

/** The uploaded prescriptions and the question before one is deleted. */
export function UploadedPrescriptions({
  prescriptions,
  hasHeading,
  messageKey,
  failure,
}: UploadedPrescriptionsProps) {
  const params = useQueryParams()
  const [deletingId, setDeletingId] = useState<string | null>(null)
  const findNamed = (id: string | null) => {
    const found = prescriptions.find((prescription) => prescription.id === id && !prescription.isUsed)
    return found ? { id: found.id, name: prescriptionName(found) } : null
  }
  const toDelete = findNamed(deletingId)
  const toDeleteFromUrl = findNamed(params.get('delete'))
  // The delete button disappears with its prescription, and the focus with it.
  const box = useRef<HTMLDivElement>(null)
  const isDeleted = deletingId !== null && toDelete === null
  useEffect(() => {
    if (isDeleted) box.current?.focus({ preventScroll: true })
  }, [isDeleted])
  return (
    <div ref={box} tabIndex={-1} className="space-y-6 outline-none">
      {hasHeading ? <h2 className="text-lg">Uploaded prescriptions</h2> : null}
      {toDeleteFromUrl ? <DeleteQuestion prescription={toDeleteFromUrl} /> : null}
      {prescriptions.length === 0 ? (
        <EmptyState icon={<FileText />} title="No prescriptions uploaded yet">
          Upload one as a PDF, JPG or PNG. You can order with it right away. Once a pharmacist has reviewed
          it, you’ll find your medications and their refills here.
        </EmptyState>
      ) : (
        <ul className="grid gap-4 lg:grid-cols-2">
          {prescriptions.map((prescription) => {
            const { id, isUsed } = prescription
            const name = prescriptionName(prescription)
            return (
              <li key={id}>
                <PrescriptionCard
                  prescription={prescription}
                  messageKey={messageKey}
                  failure={failure}
                  actions={
                    isUsed ? (
                      <p className="text-muted">{usedPrescriptionMessage}</p>
                    ) : (
                      <DeleteButton id={id} name={name} onOpen={() => setDeletingId(id)} />
                    )
                  }
                />
              </li>
            )
          })}
        </ul>
      )}
      <DeleteDialog prescription={toDelete} onClose={() => setDeletingId(null)} />
    </div>
  )
}
