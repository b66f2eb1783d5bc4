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
    <section ref={section} aria-label="Stored now" className="grid scroll-mt-14 gap-3">
      <Alert
        kind="warning"
        title={decidedBy && decidedAt ? `Stored now, by ${decidedBy}, ${formatUtc(decidedAt)}` : 'Stored now'}
      >
        <p>
          Compare this with the file and with your form before you save. Your form replaces what differs.
          Medicines that are only here stay.
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
