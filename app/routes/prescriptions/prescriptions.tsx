import { AppError } from '#domain/errors.ts'
import { answerSchema } from '#domain/prescriptions/review-inputs.ts'
import type { Context } from '#server/context.ts'
import { toAppError } from '#server/errors.ts'
import { answerQuestion } from '#server/prescriptions/ask-question.ts'
import { deletePrescription } from '#server/prescriptions/delete-prescription.ts'
import { listWithQuestions } from '#server/prescriptions/list-prescriptions.ts'
import { useEffect, useRef, useState } from 'react'
import { data, redirect, useFetcher, useNavigation, useSearchParams } from 'react-router'
import { DeleteButton, DeleteDialog, DeleteQuestion } from './DeletePrescription.tsx'
import {
  PrescriptionCard,
  prescriptionName,
  type ShownPrescription,
} from './PrescriptionCard.tsx'
import { PrescriptionPrompt } from './PrescriptionPrompt.tsx'
import { describeError, RouteError } from '../../components/RouteError.tsx'
import { flashHeader } from '../../http/cookies.server.ts'
import { readForm, textOf } from '../../http/form-action.server.ts'
import { isLostConnection, unreachedReply } from '../../http/network-fallback.ts'
import { asPageError, pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { prescriptionReply } from '../../http/prescription-reply.server.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { useReturn } from './use-return.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FileText, Plus, RefreshCw } from '../../ui/icons.tsx'
import { showToast, type ToastMessage } from '../../ui/toasts.ts'
import type { Route } from './+types/prescriptions'
import { AccountPage } from '../accounts/AccountPage.tsx'

const failedToLoad = 'Failed to load prescriptions. Please try refreshing.'
const failedToDelete = 'Failed to delete prescription'
const failedToAnswer = 'Failed to send the answer'

type Shown = {
  signedIn: boolean
  /** Null where nobody is signed in, or the list could not be asked for. */
  prescriptions: ShownPrescription[] | null
}

export const loader = pageLoader(async ({ context }: Route.LoaderArgs): Promise<Shown> => {
  const { ctx } = context.get(requestContext)
  if (!ctx.user) return { signedIn: false, prescriptions: null }
  return { signedIn: true, prescriptions: (await listWithQuestions(ctx)).map(prescriptionReply) }
})

/** A list that is asked for again and not reached stays as it is, under a sentence that says so. */
export const clientLoader = async ({ serverLoader }: Route.ClientLoaderArgs): Promise<Shown> => {
  try {
    return await serverLoader()
  } catch (error) {
    if (!isLostConnection(error)) throw error
    return { signedIn: true, prescriptions: null }
  }
}

export const action = async ({ context, request }: Route.ActionArgs) => {
  const { ctx, env } = context.get(requestContext)
  const form = await readForm(request)
  const id = textOf(form, 'id') ?? ''
  const intent = textOf(form, 'intent')
  if (intent !== 'delete' && intent !== 'answer') throw asPageError(new AppError('BAD_REQUEST'))
  const outcome =
    intent === 'delete'
      ? await runDelete(() => deletePrescription(ctx, id))
      : await runAnswer(ctx, id, textOf(form, 'answer') ?? '')
  const headers = new Headers()
  if (outcome) headers.set('Set-Cookie', await flashHeader(outcome, env))
  return redirect('/prescriptions', { status: 303, headers })
}

/** What is said about it on the next page. One that is gone already is what was wished for, and no news. */
async function runDelete(run: () => Promise<void>): Promise<ToastMessage | null> {
  try {
    await run()
    return { kind: 'success', title: 'Prescription Deleted', text: 'It was deleted together with its file.' }
  } catch (error) {
    const { code, message } = toAppError(error)
    if (code === 'INTERNAL') throw error
    return code === 'NOT_FOUND' ? null : { kind: 'error', title: failedToDelete, text: message }
  }
}

/** What could not be answered stays as it was typed. */
async function runAnswer(ctx: Context, id: string, typed: string): Promise<ToastMessage> {
  const { data: said, error } = answerSchema.safeParse({ answer: typed })
  if (error) return { kind: 'error', title: failedToAnswer, text: error.issues[0]?.message ?? '' }
  try {
    await answerQuestion(ctx, { id, ...said })
    return { kind: 'success', title: 'Answer Sent', text: 'The pharmacy goes on with its review.' }
  } catch (error) {
    const { code, message } = toAppError(error)
    if (code === 'INTERNAL') throw error
    return { kind: 'error', title: failedToAnswer, text: message }
  }
}

export const clientAction = async ({ request, serverAction }: Route.ClientActionArgs) => {
  const isAnswer = (await request.clone().formData()).get('intent') === 'answer'
  try {
    return await serverAction()
  } catch (error) {
    if (!isLostConnection(error)) throw error
    const { message } = unreachedReply
    return data({ title: isAnswer ? failedToAnswer : failedToDelete, message }, { status: 503 })
  }
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'My Prescriptions',
    description: 'The prescriptions you uploaded, and where the review of each stands.',
    noindex: true,
  })

export default function Prescriptions({ loaderData, actionData }: Route.ComponentProps) {
  const { signedIn, prescriptions, last, reload, isReloading } = useFreshList(loaderData)
  useEffect(() => {
    if (actionData) showToast({ kind: 'error', title: actionData.title, text: actionData.message })
  }, [actionData])
  if (!signedIn) return <PrescriptionPrompt returnTo="/prescriptions" back="/" />
  return (
    <AccountPage
      title="My Prescriptions"
      action={
        <LinkButton kind="primary" to="/prescriptions/upload">
          <Plus />
          Upload Prescription
        </LinkButton>
      }
    >
      <div className="space-y-6">
        {prescriptions ? null : <FailedToLoad onRetry={reload} isRetrying={isReloading} />}
        {last ? <List prescriptions={last} /> : null}
      </div>
    </AccountPage>
  )
}

/**
 * The list as it was answered last, whether with the page or when it was asked for alone; it is, whenever somebody comes back to
 * it. Not through the page's own data: where that is not reached, an error takes the page's place.
 */
function useFreshList(loaded: Shown) {
  const fetcher = useFetcher<Shown>()
  const isBusy = useNavigation().state !== 'idle'
  const reload = (): Promise<void> => fetcher.load('/prescriptions')
  useReturn(async () => {
    if (!isBusy) await reload()
  })
  const [seen, setSeen] = useState({
    loaded,
    fetched: fetcher.data,
    shown: loaded,
    last: loaded.prescriptions,
  })
  if (loaded !== seen.loaded || fetcher.data !== seen.fetched) {
    const shown = (loaded === seen.loaded ? fetcher.data : loaded) ?? loaded
    const last = shown.signedIn ? (shown.prescriptions ?? seen.last) : null
    setSeen({ loaded, fetched: fetcher.data, shown, last })
  }
  return { ...seen.shown, last: seen.last, reload, isReloading: fetcher.state !== 'idle' }
}

function List({ prescriptions }: { prescriptions: readonly ShownPrescription[] }) {
  const [params] = useSearchParams()
  const [askedId, setAskedId] = useState<string | null>(null)
  const named = (id: string | null) => {
    const found = prescriptions.find((prescription) => prescription.id === id)
    return found ? { id: found.id, name: prescriptionName(found) } : null
  }
  const asked = named(askedId)
  const askedByUrl = named(params.get('delete'))
  // The button that asked is gone with its prescription, and the focus with it.
  const box = useRef<HTMLDivElement>(null)
  const isGone = askedId !== null && asked === null
  useEffect(() => {
    if (isGone) box.current?.focus({ preventScroll: true })
  }, [isGone])
  return (
    <div ref={box} tabIndex={-1} className="space-y-6 outline-none">
      {askedByUrl ? <DeleteQuestion asked={askedByUrl} /> : null}
      {prescriptions.length === 0 ? (
        <EmptyState icon={<FileText />} title="No prescriptions uploaded yet">
          Upload one as PDF, JPG or PNG. A pharmacy reviews it, and you choose it when you check out.
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
                  actions={<DeleteButton id={id} name={name} onAsk={() => setAskedId(id)} />}
                />
              </li>
            )
          })}
        </ul>
      )}
      <DeleteDialog asked={asked} onClose={() => setAskedId(null)} />
    </div>
  )
}

/** The list that was not reached; only scripts come here, for without them the browser says so itself. */
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
          <LinkButton to="/prescriptions" reloadDocument>
            <RefreshCw />
            Retry
          </LinkButton>
        }
      />
    </AccountPage>
  )
}
