import { idDocumentRequiredMessage, missingFileMessage } from '#domain/prescriptions/prescriptions.ts'
import { paths } from '#domain/paths.ts'
import { useEffect, useState } from 'react'
import type { FormFailure } from '../../http/form-failure.ts'
import { Link } from '../../render/Link.tsx'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { ErrorSummary } from '../../ui/ErrorSummary.tsx'
import { Field, SelectField, TextAreaField } from '../../ui/Field.tsx'
import { PostForm, useIsPosting } from '../../ui/PostForm.tsx'
import { CircleCheck } from '../../ui/icons.tsx'
import { showToast } from '../../ui/toasts.ts'
import { SignInAgain } from '../../components/SignInAgain.tsx'
import { UploadField } from '../../components/upload/UploadField.tsx'
import { missingUrlMessage } from '../../components/upload/send-file.ts'
import { useUpload } from '../../components/upload/use-upload.ts'
import { IdDocumentLink } from './IdDocumentLink.tsx'

type PrescriptionFormProps = {
  /** The URL of the form's page. */
  action: string
  /** Where Cancel goes. */
  back: string
  /** Where the customer uploads an ID document. Missing in the data of an earlier release. */
  idDocumentPath: string | undefined
  /** Whose page it is. */
  userId: string
  /** Identifies this form, so that submitting it twice creates one prescription. */
  formId: string
  /** The customer and the people they care for. */
  patients: { id: string; name: string; isSelf: boolean }[]
  failure: FormFailure | null
}

/** The titles of refusals, by their message (specification, sections 5 and 8). */
const titles: Record<string, string> = {
  [idDocumentRequiredMessage]: 'ID Document Required',
  [missingFileMessage]: 'Missing File',
}

const showUploaded = () =>
  showToast({
    kind: 'success',
    title: 'File Uploaded',
    text: 'Prescription file uploaded successfully. Please fill in the details below.',
  })
const showUploadError = (text: string) =>
  showToast({ kind: 'error', title: text === missingUrlMessage ? 'Upload Issue' : 'Upload Failed', text })

/** A field's id by its wire name, for links in the error summary. */
const fieldId = (name: string): string => (name === 'fileUrl' ? 'prescription-file' : name)

/** A file and its details. */
export function PrescriptionForm({
  action,
  back,
  idDocumentPath,
  userId,
  formId,
  patients,
  failure,
}: PrescriptionFormProps) {
  const isSending = useIsPosting()
  const upload = useUpload({ onSent: showUploaded, onProblem: showUploadError })
  const { values = {}, fields = {}, message = null } = failure ?? {}
  // Without JavaScript the failure is on the page from the start; with it, a toast reports it.
  // Invalid fields are listed above the form in both cases, except for the specified refusals.
  const [initialFailure] = useState(failure)
  const blockTitle = message === null ? undefined : titles[message]
  const needsIdDocument = message === idDocumentRequiredMessage
  const isAboutFields = blockTitle === undefined && Object.keys(fields).length > 0
  const toast = isAboutFields || failure === initialFailure ? null : message
  useEffect(() => {
    if (toast) showToast({ kind: 'error', title: blockTitle ?? 'Upload Failed', text: toast })
  }, [failure, toast, blockTitle])
  const { state } = upload
  const uploadedReference = state.status === 'empty' ? initialFailure?.values['fileUrl'] : undefined
  // An error about the file that was submitted, or about its absence, is not about a later file.
  const isAboutFile =
    state.status === 'empty' || (state.status === 'sent' && state.reference === values['fileUrl'])
  return (
    <PostForm
      action={action}
      encType="multipart/form-data"
      className="space-y-6"
      onSubmit={(event) => {
        if (state.status === 'sending') {
          event.preventDefault()
          showToast({
            kind: 'info',
            title: 'Still uploading',
            text: 'Wait until the file is uploaded, then submit again.',
          })
        }
      }}
    >
      {isAboutFields ? (
        <ErrorSummary
          title="Your prescription hasn’t been submitted yet"
          fields={Object.fromEntries(Object.entries(fields).map(([name, error]) => [fieldId(name), error]))}
        />
      ) : failure?.isSignedOut ? (
        <ErrorSummary title={message ?? 'Upload Failed'} fields={fields}>
          <SignInAgain />
        </ErrorSummary>
      ) : message && failure === initialFailure ? (
        <ErrorSummary
          title={blockTitle ?? 'Upload Failed'}
          fields={needsIdDocument ? {} : { [fieldId('fileUrl')]: message }}
        >
          {needsIdDocument ? <IdDocumentLink path={idDocumentPath}>{message}</IdDocumentLink> : null}
        </ErrorSummary>
      ) : null}
      <input type="hidden" name="userId" value={values['userId'] ?? userId} />
      <input type="hidden" name="formId" value={formId} />
      <section aria-labelledby="file-heading" className="card p-5 sm:p-7">
        <h2 id="file-heading" className="text-lg">
          Prescription
        </h2>
        {uploadedReference ? (
          <p className="mt-3 flex items-start gap-2 font-medium text-success">
            <CircleCheck className="icon mt-0.5" />
            Your file is uploaded. To send a different one, choose it below.
            <input type="hidden" name="fileUrl" value={uploadedReference} />
          </p>
        ) : null}
        <div className="mt-4">
          <UploadField
            upload={upload}
            name="fileUrl"
            id={fieldId('fileUrl')}
            label="Prescription file"
            chooseLabel={uploadedReference ? 'Upload Different File' : 'Choose File'}
            error={isAboutFile ? fields['fileUrl'] : undefined}
          />
        </div>
      </section>
      {patients.length > 1 ? (
        <section className="card p-5 sm:p-7">
          <SelectField
            id="patientId"
            name="patientId"
            label="Who is this prescription for?"
            defaultValue={values['patientId']}
            error={fields['patientId']}
          >
            {patients.map(({ id, name, isSelf }) => (
              <option key={id} value={id}>
                {isSelf ? `${name} (you)` : name}
              </option>
            ))}
          </SelectField>
        </section>
      ) : (
        <p>
          This prescription will be stored as yours. Is it for someone else?{' '}
          <Link to={paths.person('new')} className="text-link">
            Add a person you care for
          </Link>{' '}
          before you upload it.
        </p>
      )}
      <section aria-labelledby="details-heading" className="card p-5 sm:p-7">
        <h2 id="details-heading" className="text-lg">
          Details
        </h2>
        <p className="mt-1 text-muted">All of these are optional.</p>
        <div className="mt-4 grid gap-5 sm:grid-cols-2">
          <Field
            id="doctorName"
            name="doctorName"
            label="Doctor's name"
            className="sm:col-span-2"
            autoComplete="off"
            defaultValue={values['doctorName']}
            error={fields['doctorName']}
          />
          <Field
            id="prescriptionDate"
            name="prescriptionDate"
            type="date"
            label="Prescription date"
            defaultValue={values['prescriptionDate']}
            error={fields['prescriptionDate']}
          />
          <Field
            id="expiryDate"
            name="expiryDate"
            type="date"
            label="Expiry date"
            hint="Leave blank if not specified on prescription"
            defaultValue={values['expiryDate']}
            error={fields['expiryDate']}
          />
          <TextAreaField
            id="notes"
            name="notes"
            label="Notes"
            className="sm:col-span-2"
            rows={4}
            defaultValue={values['notes']}
            error={fields['notes']}
          />
        </div>
      </section>
      <div className="flex flex-wrap gap-3">
        <LinkButton to={back}>Cancel</LinkButton>
        <Button kind="primary" className="grow sm:min-w-48 sm:grow-0" aria-disabled={isSending || undefined}>
          {isSending ? 'Uploading...' : 'Submit Prescription'}
        </Button>
      </div>
    </PostForm>
  )
}
