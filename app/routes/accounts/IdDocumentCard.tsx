import { paths } from '#domain/paths.ts'
import { useEffect } from 'react'
import { useFetcher } from 'react-router'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { CircleCheck } from '../../ui/icons.tsx'
import { showToast } from '../../ui/toasts.ts'
import { UploadField } from '../../components/upload/UploadField.tsx'
import { useUpload } from '../../components/upload/use-upload.ts'

/** The response to a script: why the document was not accepted, or null when it was. */
export type IdDocumentReply = { problem: string | null }

type IdDocumentCardProps = {
  userId: string
  hasIdDocument: boolean
  /** Whether the customer goes on to upload a prescription for checkout. */
  isForCheckout: boolean
}

const showUploadError = () =>
  showToast({ kind: 'error', title: 'Upload Failed', text: 'Failed to upload ID document' })

/**
 * Shows whether an ID document is on file. A chosen file is uploaded and registered immediately.
 */
export function IdDocumentCard({ userId, hasIdDocument, isForCheckout }: IdDocumentCardProps) {
  const path = isForCheckout ? paths.idDocumentForCheckout : paths.idDocument
  const fetcher = useFetcher<IdDocumentReply>()
  const upload = useUpload({
    onSent: (idDocumentURL) =>
      void fetcher.submit(
        { idDocumentURL, userId, stay: '1' },
        { method: 'post', action: path, encType: 'multipart/form-data' },
      ),
    onProblem: showUploadError,
  })
  const { reset } = upload
  useEffect(() => {
    if (!fetcher.data) return
    const { problem } = fetcher.data
    reset(problem ?? undefined)
    if (problem) showUploadError()
    else {
      showToast({
        kind: 'success',
        title: 'ID Document Uploaded',
        text: 'Your ID document has been uploaded successfully',
      })
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Once per reply: `reset` changes.
  }, [fetcher.data])
  const label = hasIdDocument ? 'Replace ID Document' : 'Upload ID Document'
  return (
    <>
      {hasIdDocument ? (
        <p className="flex items-center gap-2 font-medium text-success">
          <CircleCheck />
          ID Document Uploaded
        </p>
      ) : (
        <p>No ID document uploaded yet</p>
      )}
      {hasIdDocument ? (
        <p>
          <a
            href={paths.api.userIdDocument(userId)}
            target="_blank"
            rel="noreferrer"
            className="text-link inline-flex min-h-11 items-center"
          >
            View your ID document
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        </p>
      ) : null}
      {hasIdDocument && isForCheckout ? (
        <LinkButton kind="primary" to={paths.uploadPrescriptionForCheckout} className="mt-3">
          Continue to your prescription
        </LinkButton>
      ) : null}
      <form method="post" action={path} encType="multipart/form-data" className="mt-3">
        <input type="hidden" name="userId" value={userId} />
        <UploadField
          upload={upload}
          name="idDocumentURL"
          id="id-document"
          label="ID document"
          chooseLabel={label}
        />
        <Button className="mt-3 hidden noscript:inline-flex">{label}</Button>
      </form>
    </>
  )
}
