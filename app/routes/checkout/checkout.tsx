import { getCheckoutView } from '#server/checkout/get-checkout-view.ts'
import { paths } from '#domain/paths.ts'
import { useEffect, useState } from 'react'
import { redirectDocument, useRevalidator } from 'react-router'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { useFrame } from '../../components/frame.ts'
import { ErrorSummary } from '../../ui/ErrorSummary.tsx'
import type { Route } from './+types/checkout'
import { readCheckoutAlerts } from './checkout-alerts.server.ts'
import { CheckoutForm } from './CheckoutForm.tsx'
import { OrderSummary } from './OrderSummary.tsx'
import { hasPaidOutcome, redirectEmptyCart, redirectSignedOut } from './outcome.server.ts'
import { PaidNotice } from './PaidNotice.tsx'
import { placeOrder, type CheckoutFailure } from './place-order.server.ts'
import { prescriptionOptions } from './prescription-options.server.ts'
import { renderTestCards } from './test-cards.server.tsx'
import { renderTrustFacts } from './trust-facts.server.tsx'
import { readDraft } from './use-draft.ts'
import { useCheckedChoices } from './use-checked-choices.ts'
import { withOwnNotes } from './with-own-notes.ts'

/**
 * Checkout requires a signed-in customer and items in the cart. Otherwise it redirects home with a
 * message (specification, section 8).
 */
export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const { ctx } = args.context.get(requestContext)
  if (args.context.get(hasPaidOutcome)) return null
  if (!ctx.user) throw await redirectSignedOut(args)
  const { searchParams } = new URL(args.request.url)
  const view = await getCheckoutView(ctx, {
    address: Number(searchParams.get('address') ?? 0),
    addedId: searchParams.get('for'),
  })
  if (!view) throw await redirectEmptyCart(args)
  const { patientId, preselectedId } = view
  const alerts = await readCheckoutAlerts(ctx, {
    patientId: patientId || null,
    prescriptionId: preselectedId,
  })
  const { kind, publishableKey } = ctx.payments
  return {
    ...view,
    userId: ctx.user.id,
    prescriptions: prescriptionOptions(view.prescriptions),
    alerts,
    trustFacts: { __html: renderTrustFacts({ needsPrescription: view.needsPrescription }) },
    payment: { kind, publishableKey },
    ...(kind === 'demo' && { testCards: { __html: renderTestCards() } }),
    supportEmail: ctx.shop.supportEmail,
  }
})

export const action = (args: Route.ActionArgs) => placeOrder(args)

/**
 * The provider's script is only allowed by this page's own content security policy, so a navigation
 * from another page loads a new document.
 */
export const clientLoader = async ({ request, serverLoader }: Route.ClientLoaderArgs) => {
  const loaded = await serverLoader()
  const isOwnDocument = /^\/checkout\/?$/i.test(documentPath())
  if (loaded?.payment.kind === 'stripe' && !isOwnDocument) throw redirectDocument(request.url)
  return loaded
}

/** The path of the loaded document. Client-side navigation may have changed the URL since. */
function documentPath(): string {
  const [entry] = performance.getEntriesByType('navigation')
  return entry ? new URL(entry.name).pathname : window.location.pathname
}

export const clientAction = async ({ request, serverAction }: Route.ClientActionArgs) => {
  const isCheck = (await request.clone().formData()).get('intent') === 'check'
  try {
    return await withNetworkFallback(serverAction)
  } catch (error) {
    // An error page would replace what the customer typed. A redirect is a response.
    if (!isCheck || error instanceof Response) throw error
    return null
  }
}

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Checkout',
    description: 'Enter your shipping address and pay for your order.',
    noindex: true,
  })

export default function Checkout({ loaderData, actionData }: Route.ComponentProps) {
  const frame = useFrame()
  const { revalidate } = useRevalidator()
  // Kept in state, because revalidating for current prices clears the action data.
  const [answer, setAnswer] = useState(actionData)
  if (actionData && actionData !== answer) setAnswer(actionData)
  const failure: CheckoutFailure | null = answer && 'fields' in answer ? answer : null
  const paid = answer && 'paid' in answer ? answer.paid : null
  // Prices or stock may be the reason for the rejection. A signed-out customer stays on the page
  // with the typed values.
  const isStale = failure !== null && !failure.isUnreachable && !failure.isSignedOut
  useEffect(() => {
    if (isStale) void revalidate()
  }, [failure, isStale, revalidate])

  const notes = useCheckedChoices(failure, loaderData)
  const view = loaderData && withOwnNotes(loaderData, failure, notes)

  const draft = readDraft(loaderData)
  const draftId = loaderData?.prescriptions.find(({ id }) => id === draft?.['prescriptionId'])?.id
  const selectedId = failure?.values['prescriptionId'] ?? draftId ?? loaderData?.preselectedId ?? ''
  const [chosenId, setChosenId] = useState(selectedId)
  const chosen = loaderData?.prescriptions.find(({ id }) => id === chosenId) ?? null

  const removedNames = frame?.removedNames ?? []
  return (
    <div className="page py-6 sm:py-8">
      <h1 className="text-xl sm:text-2xl">Checkout</h1>
      {paid ? <PaidNotice paid={paid} /> : null}
      {!paid && failure && loaderData && !view ? (
        <ErrorSummary title={failure.message ?? ''} fields={failure.fields}>
          <a href={paths.checkout} className="text-link">
            Go to this account’s checkout
          </a>
        </ErrorSummary>
      ) : null}
      {!paid && view ? (
        <div className="mt-4 grid items-start gap-x-10 gap-y-6 sm:mt-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <OrderSummary
            lines={view.lines}
            totalCents={view.totalCents}
            delivery={view.delivery}
            chosen={chosen}
          />
          <CheckoutForm
            // Another account's page keeps nothing that was typed on this one.
            key={view.userId}
            view={view}
            selectedId={selectedId}
            onChoosePrescription={setChosenId}
            draft={draft}
            hasRemovedItems={removedNames.length > 0}
            failure={failure}
            prepared={answer && 'clientSecret' in answer ? answer : null}
          />
        </div>
      ) : null}
    </div>
  )
}
