import { AppError, errorCodes } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { paths } from '#domain/paths.ts'
import { serverPaths } from '#domain/server-paths.ts'
import { prescriptionFormSchema } from '#domain/prescriptions/prescription-details.ts'
import { toAppError } from '#server/errors.ts'
import { listPatientChoices } from '#server/patients/dependants.ts'
import { submitPrescription } from '#server/prescriptions/submit-prescription.ts'
import { hasIdDocument } from '#server/prescriptions/has-id-document.ts'
import { data, redirect, redirectDocument } from 'react-router'
import { IdDocumentLink } from './IdDocumentLink.tsx'
import { PrescriptionForm } from './PrescriptionForm.tsx'
import { PrescriptionPrompt } from './PrescriptionPrompt.tsx'
import { formAction, getText } from '../../http/form-action.server.ts'
import type { FormFailure } from '../../http/form-failure.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { toPageError, pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { requireShownUser } from '../../http/require-shown-user.server.ts'
import { readUploadForm } from '../../http/upload-form.server.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { Alert } from '../../ui/Alert.tsx'
import { BackLink } from '../../components/BackLink.tsx'
import { BadgeCheck, Clock, Mail } from '../../ui/icons.tsx'
import { useQueryParams } from '../../ui/use-query-params.ts'
import type { Route } from './+types/prescription-upload'

const path = paths.uploadPrescription

/** The page to go back to; checkout is the only other origin (specification, section 2). */
const backOf = (params: URLSearchParams): string =>
  params.get('from') === 'checkout' ? paths.checkout : paths.prescriptions
const pathFrom = (back: string): string =>
  back === paths.checkout ? paths.uploadPrescriptionForCheckout : path

export const loader = pageLoader(async ({ context, url }: Route.LoaderArgs) => {
  const { ctx } = context.get(requestContext)
  if (!ctx.user) return null
  return {
    userId: ctx.user.id,
    /** The section leads back to an upload for checkout. */
    idDocumentPath:
      backOf(url.searchParams) === paths.checkout
        ? serverPaths.idDocumentSectionForCheckout
        : paths.idDocumentSection,
    hasIdDocument: await hasIdDocument(ctx),
    formId: newId(ctx.now.getTime()),
    patients: await listPatientChoices(ctx),
  }
})

export const action = async ({ context, request }: Route.ActionArgs) => {
  const { ctx } = context.get(requestContext)
  if (request.method !== 'POST') throw toPageError(new AppError('METHOD_NOT_ALLOWED'))
  if (!ctx.user) {
    // The session has ended. With scripts the page stays, and the form can be sent again after a
    // sign-in in another tab.
    const { status, sentence } = errorCodes.UNAUTHENTICATED
    return data<FormFailure>(
      { intent: '', values: {}, message: sentence, fields: {}, isSignedOut: true },
      { status },
    )
  }
  const { form, reference, refusal } = await readUploadForm(ctx, request, 'fileUrl')
  // Keeps the uploaded file, whatever is wrong with the other fields.
  if (reference !== null) form.set('fileUrl', reference)
  const formId = getText(form, 'formId') ?? undefined
  return formAction(
    form,
    prescriptionFormSchema,
    async ({ patientId = getText(form, 'patientId') ?? undefined, ...details }) => {
      requireShownUser(ctx, form)
      try {
        await submitPrescription(ctx, { details, patientId, reference, refusal, formId })
      } catch (error) {
        if (toAppError(error).code !== 'INTERNAL') throw error
        // An error page in place of the form would lose what was typed.
        ctx.log.error({ err: error, requestId: ctx.requestId }, 'prescription not created')
        throw new AppError('UNAVAILABLE', 'Failed to upload prescription', { cause: error })
      }
      const flash = {
        kind: 'success',
        title: 'Prescription Uploaded',
        text: 'Your prescription has been uploaded successfully and is under review.',
      } as const
      const back = backOf(new URL(request.url).searchParams)
      // Stripe's checkout page needs a full document load; the flash message survives it.
      const redirectTo =
        back === paths.checkout && ctx.payments.kind === 'stripe' ? redirectDocument : redirect
      return redirectWithToast({ context }, back, flash, { redirectTo })
    },
    ctx,
  )
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'Upload Prescription',
    description:
      'Upload a prescription as a PDF, JPG or PNG. A pharmacy typically reviews it in 1-2 business days.',
    noindex: true,
  })

export default function PrescriptionUpload({ loaderData, actionData }: Route.ComponentProps) {
  const back = backOf(useQueryParams())
  if (!loaderData) {
    return <PrescriptionPrompt returnTo={pathFrom(back)} back={back} isUnsent={actionData !== undefined} />
  }
  return (
    <div className="page py-8">
      <BackLink to={back} label="Back" />
      <h1 className="text-xl sm:text-2xl">Upload Prescription</h1>
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="min-w-0 space-y-6">
          {loaderData.hasIdDocument ? null : <IdDocumentWarning path={loaderData.idDocumentPath} />}
          <PrescriptionForm
            action={pathFrom(back)}
            back={back}
            idDocumentPath={loaderData.idDocumentPath}
            userId={loaderData.userId}
            formId={loaderData.formId}
            patients={loaderData.patients}
            failure={actionData ?? null}
          />
        </div>
        <WhatHappensNext />
      </div>
    </div>
  )
}

const IdDocumentWarning = ({ path }: { path: string }) => (
  <Alert kind="warning" title="ID Document Required">
    <p>
      The pharmacy needs to know who the prescription is for. Upload an ID document on{' '}
      <IdDocumentLink path={path}>your profile</IdDocumentLink> first. You only need to do this once.
    </p>
  </Alert>
)

const steps = [
  [Clock, 'Pharmacy review typically takes 1-2 business days.'],
  [Mail, 'We’ll email you when it’s approved.'],
  [BadgeCheck, 'A pharmacist checks each item you order against it before the order ships.'],
] as const

const WhatHappensNext = () => (
  <section aria-labelledby="next" className="card bg-base-200 p-5">
    <h2 id="next" className="text-lg">
      What happens next
    </h2>
    <ul className="mt-3 space-y-3">
      {steps.map(([Icon, text]) => (
        <li key={text} className="flex items-start gap-3">
          <Icon className="icon mt-0.5 text-primary" />
          {text}
        </li>
      ))}
    </ul>
    <p className="mt-4 border-t border-line pt-3 text-sm text-muted">
      We encrypt the file and these details. Only you and the pharmacy that reviews them can see them, and we
      log every time someone views them.
    </p>
  </section>
)
