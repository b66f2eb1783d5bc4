import { withQuery } from '#domain/build-path.ts'
import { paths } from '#domain/paths.ts'
import { useState } from 'react'
import type { FormFailure } from '../../http/form-failure.ts'
import { Link } from '../../render/Link.tsx'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { Field, TextAreaField } from '../../ui/Field.tsx'
import { PostForm, useIsPosting } from '../../ui/PostForm.tsx'
import { CircleCheck } from '../../ui/icons.tsx'
import { showToast } from '../../ui/toasts.ts'
import { PatientField } from '../../components/PatientField.tsx'
import { UploadField } from '../../components/upload/UploadField.tsx'
import { missingUrlMessage } from '../../components/upload/send-file.ts'
import { useUpload } from '../../components/upload/use-upload.ts'
import { fileFieldId, PrescriptionFailure } from './PrescriptionFailure.tsx'

type PrescriptionFormProps = {
  /** The URL of the form's page. */
  action: string
  /** Where Cancel goes. */
  back: string
  /** Where the customer uploads an ID document. */
  idDocumentPath: string
  /** Whose page it is. */
  userId: string
  /** Identifies this form, so that submitting it twice creates one prescription. */
  formId: string
  /** The customer and the people they care for. */
  patients: { id: string; name: string; isSelf: boolean }[]
  failure: FormFailure | null
}

const showUploaded = () =>
  showToast({
    kind: 'success',
    title: 'File Uploaded',
    text: 'Prescription file uploaded successfully. Please fill in the details below.',
  })
const showUploadError = (text: string) =>
  showToast({ kind: 'error', title: text === missingUrlMessage ? 'Upload Issue' : 'Upload Failed', text })

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
  const { values = {}, fields = {} } = failure ?? {}
  const [initialFailure] = useState(failure)
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
      {failure ? (
        <PrescriptionFailure
          failure={failure}
          isInitial={failure === initialFailure}
          idDocumentPath={idDocumentPath}
        />
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
            id={fileFieldId}
            label="Prescription file"
            chooseLabel={uploadedReference ? 'Upload Different File' : 'Choose File'}
            error={isAboutFile ? fields['fileUrl'] : undefined}
          />
        </div>
      </section>
      {patients.length > 1 ? (
        <section className="card p-5 sm:p-7">
          <PatientField
            label="Who is this prescription for?"
            patients={patients}
            required
            defaultValue={values['patientId']}
            error={fields['patientId']}
          >
            <option value="">Choose a person</option>
          </PatientField>
        </section>
      ) : null}
      <p>
        {patients.length > 1 ? null : 'This prescription will be stored as yours. '}
        Is it for someone else?{' '}
        <Link
          to={withQuery(paths.person('new'), {
            from: back === paths.checkout ? 'upload-for-checkout' : 'upload',
          })}
          className="text-link"
        >
          Add a person you care for
        </Link>{' '}
        before you upload it.
      </p>
      <PrescriptionDetails values={values} errors={fields} />
      <div className="flex flex-wrap gap-3">
        <LinkButton to={back}>Cancel</LinkButton>
        <Button kind="primary" className="grow sm:min-w-48 sm:grow-0" aria-disabled={isSending || undefined}>
          {isSending ? 'Uploading...' : 'Submit Prescription'}
        </Button>
      </div>
    </PostForm>
  )
}

type PrescriptionDetailsProps = {
  values: Partial<Record<string, string>>
  errors: Partial<Record<string, string>>
}

/** What the prescription says besides its file. */
const PrescriptionDetails = ({ values, errors }: PrescriptionDetailsProps) => (
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
        error={errors['doctorName']}
      />
      <Field
        id="prescriptionDate"
        name="prescriptionDate"
        type="date"
        label="Prescription date"
        defaultValue={values['prescriptionDate']}
        error={errors['prescriptionDate']}
      />
      <Field
        id="expiryDate"
        name="expiryDate"
        type="date"
        label="Expiry date"
        hint="Leave blank if not specified on prescription"
        defaultValue={values['expiryDate']}
        error={errors['expiryDate']}
      />
      <TextAreaField
        id="notes"
        name="notes"
        label="Notes"
        className="sm:col-span-2"
        rows={4}
        defaultValue={values['notes']}
        error={errors['notes']}
      />
    </div>
  </section>
)
