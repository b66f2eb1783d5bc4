import * as checkoutMessages from '#domain/checkout/checkout-messages.ts'
import { lazy, Suspense, useCallback, type ReactNode } from 'react'
import { Alert } from '../../ui/Alert.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import type { Payer } from './StripeFields.tsx'

const StripeFields = lazy(async () => {
  const { StripeFields } = await import('./StripeFields.tsx')
  return { default: StripeFields }
})

/** The state of the provider's card fields. */
export type FieldsState = 'loading' | 'ready' | 'failed'

type StripePaymentProps = {
  publishableKey: string
  amountCents: number
  isHold: boolean
  onPayer: (payer: Payer | null) => void
  state: FieldsState
  onState: (state: FieldsState) => void
}

/**
 * Pays with Stripe's card fields, or on Stripe's page without scripts or when the fields fail to
 * load.
 */
export function StripePayment({
  publishableKey,
  amountCents,
  isHold,
  onPayer,
  state,
  onState,
}: StripePaymentProps) {
  const hydrated = useHydrated()
  const onReady = useCallback(() => onState('ready'), [onState])
  const onFailed = useCallback(() => onState('failed'), [onState])
  if (state === 'failed') {
    return (
      <Alert kind="error" title={checkoutMessages.unavailable}>
        <p className="mt-1">
          We couldn’t load the card fields. Check your connection and any content blockers, then reload this
          page. You can also place the order and pay on Stripe’s page.
        </p>
      </Alert>
    )
  }
  return (
    <>
      <p className="hidden noscript:block">You’ll pay on Stripe’s page in the next step.</p>
      <div className="min-h-56 noscript:hidden" aria-busy={state === 'loading'}>
        {state === 'loading' ? <Waiting>Loading the card fields…</Waiting> : null}
        {hydrated ? (
          <Suspense fallback={null}>
            <StripeFields
              publishableKey={publishableKey}
              amountCents={amountCents}
              isHold={isHold}
              onPayer={onPayer}
              onReady={onReady}
              onFailed={onFailed}
            />
          </Suspense>
        ) : null}
      </div>
    </>
  )
}

const Waiting = ({ children }: { children: ReactNode }) => <p className="text-muted">{children}</p>

/** Shown when the shop cannot take payments. */
export const NoPayment = ({ supportEmail }: { supportEmail: string }) => (
  <Alert kind="error" title={checkoutMessages.unavailable}>
    <p className="mt-1">
      We can’t take payments right now, and you weren’t charged. Your cart is saved. Try again later, or email{' '}
      <a href={`mailto:${supportEmail}`} className="text-link">
        {supportEmail}
      </a>
      .
    </p>
  </Alert>
)
