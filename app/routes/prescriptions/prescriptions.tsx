import { AppError } from '#domain/errors.ts'
import { paths } from '#domain/paths.ts'
import type { Medication } from '#domain/dispensing/medication-view.ts'
import type { Context } from '#server/context.ts'
import { listMedications } from '#server/dispensing/list-medications.ts'
import { listRefillChoices, refillMedication } from '#server/orders/refill-medication.ts'
import { emptyThread } from '#domain/messages/messages.ts'
import { messageSchema } from '#domain/messages/message-input.ts'
import { toAppError } from '#server/errors.ts'
import { listOwnThreads } from '#server/messages/list-thread.ts'
import { sendToPharmacy } from '#server/messages/send-message.ts'
import { readPatientNames } from '#server/patients/read-patients.ts'
import { setReminders, wantsReminders } from '#server/reminders/set-reminders.ts'
import { deletePrescription } from '#server/prescriptions/delete-prescription.ts'
import { listPrescriptions } from '#server/prescriptions/list-prescriptions.ts'
import { useEffect, useRef, useState } from 'react'
import { data, redirect, redirectDocument, useFetcher, useNavigation, useSearchParams } from 'react-router'
import { DeleteButton, DeleteDialog, DeleteQuestion } from './DeletePrescription.tsx'
import { ChooseRefill, Medications, type RefillQuestion } from './Medications.tsx'
import { RefillReminders } from './RefillReminders.tsx'
import { PrescriptionCard, prescriptionName, type PrescriptionView } from './PrescriptionCard.tsx'
import { PrescriptionPrompt } from './PrescriptionPrompt.tsx'
import { messageSent } from '../../components/messages/message-sent.ts'
import { describeError, RouteError } from '../../components/RouteError.tsx'
import { flashHeader } from '../../http/cookies.server.ts'
import { formAction, readForm, getText, withFormFailure } from '../../http/form-action.server.ts'
import type { FormFailure } from '../../http/form-failure.ts'
import { isLostConnection, unreachableReply } from '../../http/network-fallback.ts'
import { toPageError, pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { prescriptionReply } from '../../http/prescription-reply.server.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { useRefetchOnReturn } from './use-refetch-on-return.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FileText, Plus, RefreshCw } from '../../ui/icons.tsx'
import { showToast, type ToastMessage } from '../../ui/toasts.ts'
import type { Route } from './+types/prescriptions'
import { AccountPage } from '../accounts/AccountPage.tsx'

const failedToLoad = 'Failed to load prescriptions. Please try refreshing.'
const failedToDelete = 'Failed to delete prescription'
const failedToSend = 'Failed to send message'
const failedToRefill = 'Not ready to refill'
const failures: Record<string, string> = { message: failedToSend, refill: failedToRefill }

type PrescriptionList = {
  isSignedIn: boolean
  /** Null when signed out, or when the list could not be loaded. */
  prescriptions: PrescriptionView[] | null
  medications: Medication[]
  /** Whether the customer wants an email when a refill opens. */
  hasReminders: boolean
  /** What to choose for the refill that the customer asked for. */
  refill: RefillQuestion | null
  /** Names the next message to the pharmacy. */
  messageKey: string
}
const nothing: PrescriptionList = {
  isSignedIn: false,
  prescriptions: null,
  messageKey: '',
  medications: [],
  hasReminders: false,
  refill: null,
}

export const loader = pageLoader(async ({ context, url }: Route.LoaderArgs): Promise<PrescriptionList> => {
  const { ctx } = context.get(requestContext)
  if (!ctx.user) return nothing
  const prescriptions = await listPrescriptions(ctx)
  const threads = await listOwnThreads(
    ctx,
    prescriptions.map(({ id }) => id),
  )
  const names = prescriptions.some(({ patientId }) => patientId !== null)
    ? await readPatientNames(ctx, ctx.user.id)
    : new Map<string, string>()
  return {
    isSignedIn: true,
    prescriptions: prescriptions.map((prescription) => ({
      ...prescriptionReply(prescription),
      dependantName: names.get(prescription.patientId ?? '') ?? null,
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
    return { ...nothing, isSignedIn: true }
  }
}

export const action = async (args: Route.ActionArgs) => {
  const { ctx, env } = args.context.get(requestContext)
  const form = await readForm(args.request)
  const id = getText(form, 'id') ?? ''
  const intent = getText(form, 'intent')
  if (intent === 'refill') return refill(args, { itemId: id, variantId: getText(form, 'variantId') })
  if (intent === 'message')
    return formAction(form, messageSchema, async ({ message, requestKey }) => {
      await sendToPharmacy(ctx, { subjectId: id, text: message, requestKey })
      return redirectWithToast(args, paths.prescriptions, messageSent)
    })
  if (intent === 'reminders-on' || intent === 'reminders-off') {
    const isOn = intent === 'reminders-on'
    return withFormFailure(form, async () => {
      await setReminders(ctx, isOn)
      return redirectWithToast(args, paths.prescriptions, {
        kind: 'success',
        title: isOn ? 'Reminders on' : 'Reminders off',
        text: isOn ? 'We’ll email you when a refill opens.' : 'We won’t email you about refills.',
      })
    })
  }
  if (intent !== 'delete') throw toPageError(new AppError('BAD_REQUEST'))
  const outcome = await deleteToast(() => deletePrescription(ctx, id))
  const headers = new Headers()
  if (outcome) headers.set('Set-Cookie', await flashHeader(outcome, env))
  return redirect(paths.prescriptions, { status: 303, headers })
}

/**
 * Puts one fill in the cart. The toasts name no medicine, because a cookie holds them. A browser
 * that sends the form twice adds one fill.
 */
async function refill(args: Route.ActionArgs, input: { itemId: string; variantId: string | null }) {
  const { ctx } = args.context.get(requestContext)
  if (!ctx.user) return redirectDocument(paths.api.loginFor(paths.prescriptions), 303)
  try {
    const result = await refillMedication(ctx, input)
    if (result === 'choose') return redirect(paths.prescriptionsWithRefill(input.itemId), 303)
    return await redirectWithToast(
      args,
      paths.cart,
      result === 'in cart'
        ? { kind: 'success', title: 'Added to cart' }
        : { kind: 'info', title: 'Some items added to cart', text: 'Reduced quantity: 1 item.' },
    )
  } catch (error) {
    const { code, message } = toAppError(error)
    if (code !== 'CONFLICT') throw toPageError(error)
    return redirectWithToast(args, paths.prescriptions, {
      kind: 'error',
      title: failedToRefill,
      text: message,
    })
  }
}

/** The toast for the next page. A prescription that is already deleted gets none. */
async function deleteToast(run: () => Promise<void>): Promise<ToastMessage | null> {
  try {
    await run()
    return {
      kind: 'success',
      title: 'Prescription Deleted',
      text: 'The prescription and its file were deleted.',
    }
  } catch (error) {
    const { code, message } = toAppError(error)
    if (code === 'INTERNAL') throw error
    return code === 'NOT_FOUND' ? null : { kind: 'error', title: failedToDelete, text: message }
  }
}

export const clientAction = async ({ request, serverAction }: Route.ClientActionArgs) => {
  const intent = (await request.clone().formData()).get('intent')
  try {
    return await serverAction()
  } catch (error) {
    if (!isLostConnection(error)) throw error
    const { message } = unreachableReply
    return data({ title: failures[String(intent)] ?? failedToDelete, message }, { status: 503 })
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
        {medications.length > 0 || hasReminders ? <RefillReminders isOn={hasReminders} /> : null}
        {lastLoaded ? (
          <List
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
 * The most recent list, from the page or from a reload, which happens whenever the customer returns
 * to the page. Not through the page's loader: a failure there would replace the page with an error.
 */
function useRefreshedList(loaded: PrescriptionList) {
  const fetcher = useFetcher<PrescriptionList>()
  const isBusy = useNavigation().state !== 'idle'
  const reload = (): Promise<void> => fetcher.load(paths.prescriptions)
  useRefetchOnReturn(async () => {
    if (!isBusy) await reload()
  })
  const [snapshot, setSnapshot] = useState({
    loaded,
    fetched: fetcher.data,
    shown: loaded,
    lastLoaded: loaded.prescriptions,
    medications: loaded.medications,
  })
  if (loaded !== snapshot.loaded || fetcher.data !== snapshot.fetched) {
    const shown = (loaded === snapshot.loaded ? fetcher.data : loaded) ?? loaded
    const lastLoaded = shown.isSignedIn ? (shown.prescriptions ?? snapshot.lastLoaded) : null
    const medications = shown.isSignedIn && !shown.prescriptions ? snapshot.medications : shown.medications
    setSnapshot({ loaded, fetched: fetcher.data, shown, lastLoaded, medications })
  }
  const { shown, lastLoaded, medications } = snapshot
  return { ...shown, lastLoaded, medications, reload, isReloading: fetcher.state !== 'idle' }
}

type ListProps = {
  prescriptions: readonly PrescriptionView[]
  /** Whether the list follows another one. */
  hasHeading: boolean
  messageKey: string
  failure: FormFailure | null
}

function List({ prescriptions, hasHeading, messageKey, failure }: ListProps) {
  const [params] = useSearchParams()
  const [deletingId, setDeletingId] = useState<string | null>(null)
  const findNamed = (id: string | null) => {
    const found = prescriptions.find((prescription) => prescription.id === id)
    return found ? { id: found.id, name: prescriptionName(found) } : null
  }
  const toDelete = findNamed(deletingId)
  const toDeleteFromUrl = findNamed(params.get('delete'))
  // The delete button disappears with its prescription, and the focus with it.
  const box = useRef<HTMLDivElement>(null)
  const isDeleted = deletingId !== null && toDelete === null
  useEffect(() => {
    if (isDeleted) box.current?.focus({ preventScroll: true })
  }, [isDeleted])
  return (
    <div ref={box} tabIndex={-1} className="space-y-6 outline-none">
      {hasHeading ? <h2 className="text-lg">Uploaded prescriptions</h2> : null}
      {toDeleteFromUrl ? <DeleteQuestion prescription={toDeleteFromUrl} /> : null}
      {prescriptions.length === 0 ? (
        <EmptyState icon={<FileText />} title="No prescriptions uploaded yet">
          Upload one as a PDF, JPG or PNG. You can order with it at once. When a pharmacist has read it, your
          medications and their refills are listed here.
        </EmptyState>
      ) : (
        <ul className="grid gap-4 lg:grid-cols-2">
          {prescriptions.map((prescription) => {
            const { id } = prescription
            const name = prescriptionName(prescription)
            return (
              <li key={id}>
                <PrescriptionCard
                  prescription={prescription}
                  messageKey={messageKey}
                  failure={failure}
                  actions={<DeleteButton id={id} name={name} onOpen={() => setDeletingId(id)} />}
                />
              </li>
            )
          })}
        </ul>
      )}
      <DeleteDialog prescription={toDelete} onClose={() => setDeletingId(null)} />
    </div>
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
