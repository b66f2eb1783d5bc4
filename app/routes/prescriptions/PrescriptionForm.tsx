import { idDocumentRequired, missingFile } from '#domain/prescriptions/prescriptions.ts'
import { useEffect, useState } from 'react'
import { Form, useNavigation } from 'react-router'
import type { FormFailure } from '../../http/form-failure.ts'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { ErrorSummary } from '../../ui/ErrorSummary.tsx'
import { Field, TextAreaField } from '../../ui/Field.tsx'
import { CircleCheck } from '../../ui/icons.tsx'
import { showToast } from '../../ui/toasts.ts'
import { UploadField } from '../../components/upload/UploadField.tsx'
import { useUpload } from '../../components/upload/use-upload.ts'

type PrescriptionFormProps = {
  /** Its own page. */
  action: string
  /** Where Cancel leads. */
  back: string
  /** Names this form, so that sent twice it is one prescription. */
  formId: string
  refused: FormFailure | null
}

/** What stands above a refusal, by its sentence (specification, sections 5 and 8). */
const titles: Record<string, string> = {
  [idDocumentRequired]: 'ID Document Required',
  [missingFile]: 'Missing File',
}
const noUrl = 'File uploaded but URL not available. Please try again.'

const sayUploaded = () =>
  showToast({
    kind: 'success',
    title: 'File Uploaded',
    text: 'Prescription file uploaded successfully. Please fill in the details below.',
  })
const sayNotUploaded = (text: string) =>
  showToast({ kind: 'error', title: text === noUrl ? 'Upload Issue' : 'Upload Failed', text })

/** The ids of the fields by their names on the wire: where the error summary leads. */
const idOf = (name: string): string => (name === 'fileUrl' ? 'prescription-file' : name)

/** A file and what the customer wants to say of it. A second press while the first is on its way sends nothing. */
export function PrescriptionForm({ action, back, formId, refused }: PrescriptionFormProps) {
  const { state, formMethod } = useNavigation()
  const sending = state !== 'idle' && formMethod === 'POST'
  const upload = useUpload({ onSent: sayUploaded, onProblem: sayNotUploaded })
  const { values = {}, fields = {}, message = null } = refused ?? {}
  // What was answered to a page without scripts stands in it from the first; what comes to a script is said in a toast. What is
  // wrong with single fields stands above the form in either case, but for the documented blocks.
  const [atFirst] = useState(refused)
  const block = message === null ? undefined : titles[message]
  const isAboutFields = block === undefined && Object.keys(fields).length > 0
  const toast = isAboutFields || refused === atFirst ? null : message
  useEffect(() => {
    if (toast) showToast({ kind: 'error', title: block ?? 'Upload Failed', text: toast })
  }, [refused, toast, block])
  const keptReference = upload.state.status === 'empty' ? atFirst?.values['fileUrl'] : undefined
  return (
    <Form
      method="post"
      action={action}
      encType="multipart/form-data"
      noValidate
      className="space-y-6"
      onSubmit={(event) => {
        if (upload.state.status === 'sending') {
          event.preventDefault()
          showToast({
            kind: 'info',
            title: 'Still uploading',
            text: 'Please wait until the file is uploaded, then submit again.',
          })
        } else if (sending) event.preventDefault()
      }}
    >
      {isAboutFields ? (
        <ErrorSummary
          title="Your prescription was not submitted yet"
          fields={Object.fromEntries(Object.entries(fields).map(([name, words]) => [idOf(name), words]))}
        />
      ) : message && refused === atFirst ? (
        <ErrorSummary title={block ?? 'Upload Failed'} fields={{ [idOf('fileUrl')]: message }} />
      ) : null}
      <input type="hidden" name="formId" value={formId} />
      <section aria-labelledby="file-heading" className="card p-5 sm:p-7">
        <h2 id="file-heading" className="text-lg">
          Prescription
        </h2>
        {keptReference ? (
          <p className="mt-3 flex items-start gap-2 font-medium text-success">
            <CircleCheck className="icon mt-0.5" />
            Your file is uploaded. Choose one below only to send a different file.
            <input type="hidden" name="fileUrl" value={keptReference} />
          </p>
        ) : null}
        <div className="mt-4">
          <UploadField
            upload={upload}
            name="fileUrl"
            id={idOf('fileUrl')}
            label="Prescription file"
            chooseLabel={keptReference ? 'Upload Different File' : 'Choose File'}
            error={fields['fileUrl']}
          />
        </div>
      </section>
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
        <Button kind="primary" className="grow sm:min-w-48 sm:grow-0" aria-disabled={sending || undefined}>
          {sending ? 'Uploading...' : 'Submit Prescription'}
        </Button>
      </div>
    </Form>
  )
}
