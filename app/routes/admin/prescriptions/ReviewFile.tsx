import type { FileType } from '#domain/files/files.ts'
import { paths } from '#domain/paths.ts'
import type { Review } from '#domain/prescriptions/prescription-review.ts'
import { useMemo, useState } from 'react'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { Button } from '../../../ui/Button.tsx'
import { useShortcuts } from '../../../ui/data-grid/shortcuts.ts'
import { ExternalLink } from '../../../ui/icons.tsx'

/**
 * The prescription file, or in its place the ID document to compare. The ID document is loaded only
 * when the pharmacist opens it, and the server audits every read.
 */
export function ReviewFile({ review: { id, fileType, fileScannedAt, patient } }: { review: Review }) {
  const { idDocumentType } = patient
  const [shown, setShown] = useState<'prescription' | 'id'>('prescription')
  useShortcuts(
    useMemo(
      () =>
        idDocumentType === null
          ? []
          : [
              {
                keys: 'i',
                label: 'Show or hide the ID document',
                run: () => setShown((shown) => (shown === 'id' ? 'prescription' : 'id')),
              },
            ],
      [idDocumentType],
    ),
  )
  const isId = shown === 'id' && idDocumentType !== null
  const src = isId ? paths.api.userIdDocument(patient.id) : paths.api.prescriptionFile(id)
  return (
    <section aria-label="File" className="card min-w-0 overflow-hidden">
      <div className="flex flex-wrap items-center gap-1 border-b border-line p-2">
        <Button
          type="button"
          kind={isId ? 'quiet' : 'secondary'}
          aria-pressed={!isId}
          onClick={() => setShown('prescription')}
        >
          Prescription
        </Button>
        {idDocumentType === null ? (
          <p className="px-2 text-error">No ID document on file</p>
        ) : (
          <Button
            type="button"
            kind={isId ? 'secondary' : 'quiet'}
            aria-pressed={isId}
            onClick={() => setShown('id')}
          >
            ID document <Key>I</Key>
          </Button>
        )}
        <ScanNote scannedAt={isId ? patient.idDocumentScannedAt : fileScannedAt} />
        <a href={src} target="_blank" rel="noreferrer" className="btn btn-ghost ms-auto">
          Open in new tab
          <ExternalLink className="size-4" />
        </a>
      </div>
      <FileView
        key={src}
        src={src}
        type={isId ? idDocumentType : fileType}
        name={isId ? `ID document of ${patient.name}` : `Prescription of ${patient.name}`}
      />
    </section>
  )
}

/** Whether the malware scanner has seen the file that is shown. */
const ScanNote = ({ scannedAt }: { scannedAt: string | null }) =>
  scannedAt === null ? (
    <p className="px-2 font-medium text-error">Not scanned for viruses</p>
  ) : (
    <p className="px-2 text-muted">Scanned, {formatDay(scannedAt)}</p>
  )

/** The keyboard shortcut, shown in the button. */
export const Key = ({ children }: { children: string }) => (
  <kbd className="rounded-sm border border-current px-1 font-mono text-sm font-normal opacity-80 pointer-coarse:hidden">
    {children}
  </kbd>
)

function FileView({ src, type, name }: { src: string; type: FileType; name: string }) {
  const [isFitted, setFitted] = useState(true)
  if (type === 'application/pdf') {
    return (
      // The response carries the sandbox: as an attribute, Chromium would not start its PDF viewer.
      // oxlint-disable-next-line react/iframe-missing-sandbox
      <iframe
        src={`${src}?frame`}
        title={name}
        className="block h-[70dvh] w-full bg-base-200 lg:h-[max(20rem,calc(100dvh-17.5rem))]"
      />
    )
  }
  return (
    <div className="max-h-[70dvh] overflow-auto bg-base-200 lg:max-h-[max(20rem,calc(100dvh-17.5rem))]">
      <button
        type="button"
        className={isFitted ? 'block max-h-[inherit] w-full cursor-zoom-in' : 'block cursor-zoom-out'}
        aria-label={isFitted ? 'Show full size' : 'Fit to window'}
        onClick={() => setFitted(!isFitted)}
      >
        <img
          src={src}
          alt={name}
          className={isFitted ? 'mx-auto max-h-[inherit] w-full object-contain' : 'max-w-none'}
        />
      </button>
    </div>
  )
}
