import type { CasePrescription } from '#domain/dispensing/case-prescription.ts'
import { useEffect, useRef } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import { formatUtc } from '../frame/format-date-time.ts'
import { ItemFacts, TranscriptionFacts } from './PrescriptionPanel.tsx'

type StoredNowProps = {
  prescription: CasePrescription
  /** Whether a save showed it. Else the case was read with a draft, or again. */
  isAfterSave: boolean
}

/** What a colleague has stored since a transcription form was opened, to compare with the form. */
export function StoredNow({ prescription, isAfterSave }: StoredNowProps) {
  const { decidedBy, decidedAt, items } = prescription
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    // The button that was pressed is at the end of the form.
    if (isAfterSave) section.current?.scrollIntoView({ block: 'start' })
  }, [isAfterSave])
  return (
    <section ref={section} aria-label="Current transcription" className="grid scroll-mt-14 gap-3">
      <Alert
        kind="warning"
        title={
          decidedBy && decidedAt
            ? `Current transcription, saved by ${decidedBy}, ${formatUtc(decidedAt)}`
            : 'Current transcription'
        }
      >
        <p>
          Compare this with the file and your form before you save. Saving replaces any differences. Medicines
          that appear only here are kept.
        </p>
      </Alert>
      <TranscriptionFacts prescription={prescription} />
      {items.map((item) => (
        <ItemFacts key={item.id} item={item} renderCloseForm={null} />
      ))}
      <h3 className="border-t border-line pt-3 font-semibold">Your form</h3>
    </section>
  )
}
