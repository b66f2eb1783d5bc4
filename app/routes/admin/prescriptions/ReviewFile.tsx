import { paths } from '#domain/paths.ts'
import type { Review } from '#domain/prescriptions/prescription-review.ts'
import { useState } from 'react'
import { FileViewer } from './FileViewer.tsx'

/** The prescription file, or in its place the ID document to compare. */
export function ReviewFile({ review: { id, fileType, fileScannedAt, patient } }: { review: Review }) {
  const [shown, setShown] = useState('prescription')
  const prescription = {
    key: 'prescription',
    label: 'Prescription',
    src: paths.api.prescriptionFile(id),
    type: fileType,
    scannedAt: fileScannedAt,
    name: `Prescription of ${patient.name}`,
  }
  const idDocument = patient.idDocumentType && {
    key: 'id',
    label: 'ID document',
    src: paths.api.userIdDocument(patient.id),
    type: patient.idDocumentType,
    scannedAt: patient.idDocumentScannedAt,
    name: `ID document of ${patient.name}`,
  }
  return (
    <section aria-label="File" className="min-w-0">
      <FileViewer
        files={[prescription, ...(idDocument ? [idDocument] : [])]}
        shown={shown}
        onShow={setShown}
      />
    </section>
  )
}
