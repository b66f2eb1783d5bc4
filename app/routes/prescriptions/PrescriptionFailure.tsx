import { idDocumentRequiredMessage, missingFileMessage } from '#domain/prescriptions/prescriptions.ts'
import { useEffect } from 'react'
import { SignInAgain } from '../../components/SignInAgain.tsx'
import type { FormFailure } from '../../http/form-failure.ts'
import { ErrorSummary } from '../../ui/ErrorSummary.tsx'
import { showToast } from '../../ui/toasts.ts'
import { IdDocumentLink } from './IdDocumentLink.tsx'

/** The id of the field for the file. */
export const fileFieldId = 'prescription-file'

/** The titles of refusals, by their message (specification, sections 5 and 8). */
const titles: Record<string, string> = {
  [idDocumentRequiredMessage]: 'ID Document Required',
  [missingFileMessage]: 'Missing File',
}

const defaultTitle = 'Upload Failed'

/** A field's id by its wire name, for links in the error summary. */
const fieldId = (name: string): string => (name === 'fileUrl' ? fileFieldId : name)

type PrescriptionFailureProps = {
  failure: FormFailure
  /** Whether the page was loaded with this failure, as it always is without JavaScript. */
  isInitial: boolean
  /** Where the customer uploads an ID document. */
  idDocumentPath: string
}

/**
 * Why the prescription was not stored. Invalid fields are always listed above the form. Any other
 * failure is there if the page was loaded with it; otherwise a toast reports it.
 */
export function PrescriptionFailure({ failure, isInitial, idDocumentPath }: PrescriptionFailureProps) {
  const { fields, message, isSignedOut } = failure
  const title = message === null ? undefined : titles[message]
  const isAboutFields = title === undefined && Object.keys(fields).length > 0
  const toast = isAboutFields || isInitial ? null : message
  useEffect(() => {
    if (toast) showToast({ kind: 'error', title: title ?? defaultTitle, text: toast })
  }, [failure, toast, title])
  if (isAboutFields) {
    const errors = Object.entries(fields).map(([name, error]) => [fieldId(name), error])
    return (
      <ErrorSummary title="Your prescription hasn’t been submitted yet" fields={Object.fromEntries(errors)} />
    )
  }
  if (isSignedOut) {
    return (
      <ErrorSummary title={message ?? defaultTitle} fields={fields}>
        <SignInAgain />
      </ErrorSummary>
    )
  }
  if (!message || !isInitial) return null
  const needsIdDocument = message === idDocumentRequiredMessage
  return (
    <ErrorSummary title={title ?? defaultTitle} fields={needsIdDocument ? {} : { [fileFieldId]: message }}>
      {needsIdDocument ? <IdDocumentLink path={idDocumentPath}>{message}</IdDocumentLink> : null}
    </ErrorSummary>
  )
}
