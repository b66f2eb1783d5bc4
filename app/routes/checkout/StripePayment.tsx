import { checkoutMessages } from '#domain/checkout/checkout-messages.ts'
import { lazy, Suspense, useCallback, type ReactNode } from 'react'
import { Alert } from '../../ui/Alert.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import type { Payer } from './StripeFields.tsx'

const StripeFields = lazy(async () => {
  const { StripeFields } = await import('./StripeFields.tsx')
  return { default: StripeFields }
})

/** Where the provider's fields stand: on their way, ready, or not to be had. */
export type FieldsState = 'loading' | 'ready' | 'failed'

type StripePaymentProps = {
  publishableKey: string
  amountCents: number
  onPayer: (payer: Payer | null) => void
  state: FieldsState
  onState: (state: FieldsState) => void
}

/**
 * How one pays by Stripe: in its fields, or, where no script runs or they do not come, on its own
 * page.
 */
export function StripePayment({ publishableKey, amountCents, onPayer, state, onState }: StripePaymentProps) {
  const hydrated = useHydrated()
  const onReady = useCallback(() => onState('ready'), [onState])
  const onFailed = useCallback(() => onState('failed'), [onState])
  if (state === 'failed') {
    return (
      <Alert kind="error" title={checkoutMessages.unavailable}>
        <p className="mt-1">
          The card fields did not come. Please check your connection and what blocks content, and reload this
          page; or place the order and pay on Stripe’s own page.
        </p>
      </Alert>
    )
  }
  return (
    <>
      <p className="hidden noscript:block">You pay on Stripe’s own page, which comes next.</p>
      <div className="min-h-56 noscript:hidden" aria-busy={state === 'loading'}>
        {state === 'loading' ? <Waiting>The card fields are on their way…</Waiting> : null}
        {hydrated ? (
          <Suspense fallback={null}>
            <StripeFields
              publishableKey={publishableKey}
              amountCents={amountCents}
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

/** Nothing can be paid here: what one can do. */
export const NoPayment = ({ supportEmail }: { supportEmail: string }) => (
  <Alert kind="error" title={checkoutMessages.unavailable}>
    <p className="mt-1">
      Orders cannot be paid for at the moment, and nothing was charged. Your cart is kept. Please try again
      later, or write to{' '}
      <a href={`mailto:${supportEmail}`} className="text-link">
        {supportEmail}
      </a>
      .
    </p>
  </Alert>
)
