import { adminPaths } from '#domain/admin-paths.ts'
import { paths } from '#domain/paths.ts'
import { isUndecided } from '#domain/dispensing/dispensing.ts'
import type { CaseItem } from '#domain/dispensing/case-prescription.ts'
import { draftPart, hasFields, notePart } from '#domain/dispensing/draft-fields.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { useRef, useState, type ReactNode } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import { LinkButton } from '../../../ui/Button.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { CaptureNotice } from './CaptureNotice.tsx'
import { CaseHeading } from './CaseHeading.tsx'
import { CaseThreads } from './CaseThreads.tsx'
import { FailedRead } from './FailedRead.tsx'
import { FileViewer, type CaseFile } from './FileViewer.tsx'
import { LinesPanel } from './LinesPanel.tsx'
import { PatientPanel } from './PatientPanel.tsx'
import { OtherItems } from './PrescriptionPanel.tsx'
import { CloseItem, PrescriptionTask } from './PrescriptionTask.tsx'
import { caseParts, casePartNames, sectionOf, type CasePart } from './case-parts.ts'
import { useCaseFocus } from './use-case-focus.ts'
import { useCaseForms, type CaseFormFailure } from './use-case-forms.ts'
import { useCaseDraft } from './use-case-draft.ts'
import { useViewers } from './use-viewers.ts'

type CaseViewProps = {
  reviewCase: ReviewCase
  /** The id that the page reads it by: its own, or that of a prescription which its order uses. */
  openedId: string
  /** Why it could not be read again; null unless the last read failed. */
  readFailure: string | null
  isReading: boolean
  /** Reads it again. Returns whether it was read. */
  onReload: () => Promise<boolean>
  /** The next case of the queue; null when this is the last one. */
  nextHref: string | null
  /** The failed reply to a form that was posted without scripts. */
  posted: CaseFormFailure | null
  /** The prescription whose transcription the URL opens to change. */
  editedId: string | null
}

/** The files of a case: its prescriptions, and the patient's ID document. */
function listFiles({ patient, prescriptions }: ReviewCase): CaseFile[] {
  const files: CaseFile[] = prescriptions.map((prescription) => ({
    key: prescription.id,
    label: prescription.rxNumber,
    src: paths.api.prescriptionFile(prescription.id),
    type: prescription.fileType,
    scannedAt: prescription.fileScannedAt,
    name: `${prescription.dependantName ?? patient.name}’s prescription`,
  }))
  if (patient.idDocumentType) {
    files.push({
      key: 'id',
      label: 'ID document',
      src: paths.api.userIdDocument(patient.id),
      type: patient.idDocumentType,
      scannedAt: patient.idDocumentScannedAt,
      name: `${patient.name}’s ID document`,
    })
  }
  return files
}

/** On a wide screen the file stays in view while the rest scrolls. */
const places: Record<CasePart, string> = {
  file: 'xl:sticky xl:top-4 xl:row-span-2',
  transcription: '',
  patient: '',
  lines: 'xl:col-span-2',
}

/**
 * A case: the file beside its transcription beside the patient, and below them the order's lines.
 * Mounted once for each case.
 */
export function CaseView({ reviewCase, openedId, nextHref, posted, editedId, ...read }: CaseViewProps) {
  const { id, kind, order, prescriptions, lines, readOnlyReason } = reviewCase
  const hydrated = useHydrated()
  const viewers = useViewers(id, reviewCase.viewers)
  const draft = useCaseDraft(id, openedId, reviewCase.draft)
  const storedFields = reviewCase.draft?.fields ?? {}
  const [shown, setShown] = useState(prescriptions[0]?.id ?? 'id')
  const [selected, setSelected] = useState(shown)
  const isDecided =
    kind === 'order'
      ? lines.every(({ status }) => !isUndecided(status))
      : prescriptions.every(({ status }) => status !== 'under_review')
  const isDone = isDecided && !lines.some(({ canCheck }) => canCheck)
  const article = useRef<HTMLElement>(null)
  const { part, setPart, onActed, onUnread } = useCaseFocus(article, reviewCase, isDone)
  const forms = useCaseForms(reviewCase, { openedId, posted, onDone: onActed, onUnread })
  const show = (key: string): void => {
    setShown(key)
    if (key !== 'id') setSelected(key)
  }
  const reload = async (): Promise<void> => {
    // The button disappears.
    if (await read.onReload()) article.current?.focus({ preventScroll: true })
  }
  /** On a narrow screen the other parts are hidden, once scripts can show them again. */
  const partProps = (name: CasePart, label: string) => ({
    id: sectionOf(name),
    'aria-label': label,
    tabIndex: -1,
    className: `min-w-0 outline-none ${hydrated && part !== name ? 'max-xl:hidden' : ''} ${places[name]}`,
  })
  /** What was typed while the case used the item's prescription can still be sent or canceled. */
  const hasDraftedClose = (item: CaseItem): boolean =>
    readOnlyReason === null && hasFields(draftPart(storedFields, notePart('closeItem', item.id)))
  const renderDraftedClose = (item: CaseItem): ReactNode =>
    hasDraftedClose(item) ? <CloseItem key={item.version} item={item} forms={forms} draft={draft} /> : null
  return (
    <article ref={article} tabIndex={-1} aria-labelledby="patient" className="min-w-0 outline-none">
      <CaseHeading reviewCase={reviewCase} viewers={viewers} />
      <div className="mb-3 grid gap-3">
        {read.readFailure === null ? null : (
          <FailedRead
            message={read.readFailure}
            done={forms.unread}
            isReading={read.isReading}
            onReload={() => void reload()}
          />
        )}
        {readOnlyReason ? <Alert kind="warning" title={readOnlyReason} /> : null}
        {order ? <CaptureNotice order={order} isDecided={isDecided} /> : null}
        {isDone ? (
          <p className="flex flex-wrap items-center gap-3">
            <span className="font-medium text-success">
              {kind === 'order' ? 'All lines are decided.' : 'This prescription is decided.'}
            </span>
            <LinkButton
              id="case-next"
              to={nextHref ?? adminPaths.prescriptions}
              defaultShouldRevalidate={false}
            >
              {nextHref ? 'Next case' : 'Back to the queue'}
            </LinkButton>
          </p>
        ) : null}
      </div>
      <nav aria-label="Parts of the case" className="tab-links sticky top-0 z-[5] mb-3 bg-base-100 xl:hidden">
        {casePartNames.map((name) => (
          <a
            key={name}
            href={`#${sectionOf(name)}`}
            aria-current={hydrated && part === name ? 'true' : undefined}
            onClick={(event) => {
              event.preventDefault()
              setPart(name)
            }}
          >
            {caseParts[name].label}
          </a>
        ))}
      </nav>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,5fr)_minmax(0,5fr)_minmax(0,3fr)]">
        <section {...partProps('file', 'File')}>
          <FileViewer files={listFiles(reviewCase)} shown={shown} onShow={show} />
        </section>
        <section {...partProps('transcription', 'Transcription')}>
          {prescriptions.map((prescription) => (
            <div key={prescription.id} hidden={hydrated && prescription.id !== selected}>
              <PrescriptionTask
                reviewCase={reviewCase}
                prescription={prescription}
                forms={forms}
                draft={draft}
                isEdited={prescription.id === editedId}
              />
            </div>
          ))}
          <OtherItems
            items={reviewCase.otherItems}
            open={reviewCase.otherItems.some(hasDraftedClose)}
            renderCloseForm={renderDraftedClose}
          />
        </section>
        <section {...partProps('patient', 'Patient and history')}>
          <PatientPanel reviewCase={reviewCase} />
          <CaseThreads reviewCase={reviewCase} />
        </section>
        <section {...partProps('lines', 'Lines')}>
          {kind === 'order' ? (
            <LinesPanel reviewCase={reviewCase} forms={forms} draft={draft} />
          ) : (
            <p className="text-muted">No order is waiting for this prescription.</p>
          )}
        </section>
      </div>
    </article>
  )
}
