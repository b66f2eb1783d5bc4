import { emptyThread } from '#domain/messages/messages.ts'
import { paths } from '#domain/paths.ts'
import type { Context } from '#server/context.ts'
import { listMedications } from '#server/dispensing/list-medications.ts'
import { toAppError } from '#server/errors.ts'
import { listOwnThreads } from '#server/messages/list-thread.ts'
import { listRefillChoices } from '#server/orders/refill-medication.ts'
import { readPatientNames } from '#server/patients/read-patients.ts'
import { listUsed } from '#server/prescriptions/list-used.ts'
import { listPrescriptions } from '#server/prescriptions/list-prescriptions.ts'
import { wantsReminders } from '#server/reminders/set-reminders.ts'
import { useEffect } from 'react'
import { data } from 'react-router'
import { describeError, RouteError } from '../../components/RouteError.tsx'
import { isLostConnection, unreachableReply } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { prescriptionReply } from '../../http/prescription-reply.server.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { Plus, RefreshCw } from '../../ui/icons.tsx'
import { showToast } from '../../ui/toasts.ts'
import type { Route } from './+types/prescriptions'
import { AccountPage } from '../accounts/AccountPage.tsx'
import { prescriptionsAction } from './actions.server.ts'
import { failureTitles } from './failure-titles.ts'
import { ChooseRefill, Medications, type RefillQuestion } from './Medications.tsx'
import { listUploadTimes } from './upload-times.server.ts'
import { PrescriptionPrompt } from './PrescriptionPrompt.tsx'
import { RefillReminders } from './RefillReminders.tsx'
import { UploadedPrescriptions } from './UploadedPrescriptions.tsx'
import { emptyList, useRefreshedList, type PrescriptionList } from './use-refreshed-list.ts'

const failedToLoad = 'Failed to load prescriptions. Please try refreshing.'

export const loader = pageLoader(async ({ context, url }: Route.LoaderArgs): Promise<PrescriptionList> => {
  const { ctx } = context.get(requestContext)
  if (!ctx.user) return emptyList
  const prescriptions = await listPrescriptions(ctx)
  const threads = await listOwnThreads(
    ctx,
    prescriptions.map(({ id }) => id),
  )
  const used = await listUsed(ctx)
  const names = prescriptions.some(({ patientId }) => patientId !== null)
    ? await readPatientNames(ctx, ctx.user.id)
    : new Map<string, string>()
  const uploadTimes = listUploadTimes(prescriptions)
  return {
    isSignedIn: true,
    userId: ctx.user.id,
    prescriptions: prescriptions.map((prescription) => ({
      ...prescriptionReply(prescription),
      isUsed: used.has(prescription.id),
      dependantName: names.get(prescription.patientId ?? '') ?? null,
      uploadTime: uploadTimes.get(prescription.id) ?? null,
      thread: threads.get(prescription.id) ?? emptyThread,
    })),
    messageKey: crypto.randomUUID(),
    medications: await listMedications(ctx),
    hasReminders: await wantsReminders(ctx),
    refill: await findRefill(ctx, url.searchParams.get('refill')),
  }
})

/** The products to choose from. Null when the item is gone or cannot be refilled any more. */
async function findRefill(ctx: Context, itemId: string | null): Promise<RefillQuestion | null> {
  if (itemId === null) return null
  try {
    const choices = await listRefillChoices(ctx, itemId)
    return choices.length > 0 ? { itemId, choices } : null
  } catch (error) {
    const { code } = toAppError(error)
    if (code !== 'CONFLICT' && code !== 'NOT_FOUND') throw error
    return null
  }
}

/** When a reload fails, the list stays under an error message. */
export const clientLoader = async ({ serverLoader }: Route.ClientLoaderArgs): Promise<PrescriptionList> => {
  try {
    return await serverLoader()
  } catch (error) {
    if (!isLostConnection(error)) throw error
    return { ...emptyList, isSignedIn: true }
  }
}

export const action = (args: Route.ActionArgs) => prescriptionsAction(args)

export const clientAction = async ({ request, serverAction }: Route.ClientActionArgs) => {
  const intent = (await request.clone().formData()).get('intent')
  const titles: Record<string, string> = failureTitles
  try {
    return await serverAction()
  } catch (error) {
    if (!isLostConnection(error)) throw error
    const { message } = unreachableReply
    return data({ title: titles[String(intent)] ?? failureTitles.delete, message }, { status: 503 })
  }
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'My Prescriptions',
    description: 'Your medications and their refills, and the prescriptions you uploaded.',
    noindex: true,
  })

export default function Prescriptions({ loaderData, actionData }: Route.ComponentProps) {
  const {
    isSignedIn,
    userId,
    prescriptions,
    messageKey,
    lastLoaded,
    medications,
    hasReminders,
    reload,
    isReloading,
  } = useRefreshedList(loaderData)
  const { refill } = loaderData
  useEffect(() => {
    if (actionData && 'title' in actionData)
      showToast({ kind: 'error', title: actionData.title, text: actionData.message })
  }, [actionData])
  const failure = actionData && 'values' in actionData ? actionData : null
  if (!isSignedIn) return <PrescriptionPrompt returnTo={paths.prescriptions} back="/" />
  return (
    <AccountPage
      title="My Prescriptions"
      action={
        <LinkButton kind="primary" to={paths.uploadPrescription}>
          <Plus />
          Upload Prescription
        </LinkButton>
      }
    >
      <div className="space-y-6">
        {prescriptions ? null : <FailedToLoad onRetry={reload} isRetrying={isReloading} />}
        {refill ? <ChooseRefill question={refill} medications={medications} /> : null}
        {medications.length > 0 ? <Medications medications={medications} /> : null}
        {medications.length > 0 || hasReminders ? (
          <RefillReminders userId={userId} isOn={hasReminders} />
        ) : null}
        {lastLoaded ? (
          <UploadedPrescriptions
            prescriptions={lastLoaded}
            hasHeading={medications.length > 0}
            messageKey={messageKey}
            failure={failure}
          />
        ) : null}
      </div>
    </AccountPage>
  )
}

/**
 * The list failed to load. Only browsers with JavaScript show this; without it, the browser shows
 * its own error.
 */
const FailedToLoad = ({ onRetry, isRetrying }: { onRetry: () => Promise<void>; isRetrying: boolean }) => (
  <Alert
    kind="error"
    title={failedToLoad}
    action={
      <Button
        type="button"
        aria-disabled={isRetrying || undefined}
        onClick={() => {
          if (!isRetrying) void onRetry()
        }}
      >
        <RefreshCw />
        Retry
      </Button>
    }
  />
)

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { status } = describeError(error)
  if (status >= 400 && status < 500) return <RouteError error={error} failure={failedToLoad} />
  return (
    <AccountPage title="My Prescriptions">
      <Alert
        kind="error"
        title={failedToLoad}
        action={
          <LinkButton to={paths.prescriptions} reloadDocument>
            <RefreshCw />
            Retry
          </LinkButton>
        }
      />
    </AccountPage>
  )
}
