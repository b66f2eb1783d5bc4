import { paths } from '#domain/paths.ts'
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Appearance, Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useMemo, useState } from 'react'

/** How the form uses the provider's fields. */
export type Payer = {
  /** Validates the fields, which show their own errors. Returns a message, or null. */
  check: () => Promise<string | null>
  /** Pays, or redirects to the customer's bank and from there to `/order-confirmation`. */
  pay: (clientSecret: string) => Promise<{ paymentId: string } | { problem: string }>
}

type StripeFieldsProps = {
  publishableKey: string
  amountCents: number
  /** Whether the payment is only authorized now, which cards alone can do. */
  isHold: boolean
  /** Called once the fields are ready to pay. */
  onPayer: (payer: Payer | null) => void
  onReady: () => void
  onFailed: () => void
}

/**
 * Stripe's card fields in Stripe's own frames: the shop never sees a card. Only the checkout page
 * loads this module (https://docs.stripe.com/payments/accept-a-payment-deferred).
 */
export function StripeFields({
  publishableKey,
  amountCents,
  isHold,
  onPayer,
  onReady,
  onFailed,
}: StripeFieldsProps) {
  const [stripe, setStripe] = useState<Stripe | null>(null)
  const appearance = useAppearance()
  useEffect(() => {
    let isMounted = true
    loadStripe(publishableKey).then(
      (loaded) => isMounted && (loaded ? setStripe(loaded) : onFailed()),
      () => isMounted && onFailed(),
    )
    return () => void (isMounted = false)
  }, [publishableKey, onFailed])
  const options = useMemo(
    () => ({
      mode: 'payment' as const,
      amount: amountCents,
      currency: 'usd',
      // Stripe refuses a payment that was created with other options.
      ...(isHold && { captureMethod: 'manual' as const, allowedPaymentMethodTypes: ['card'] }),
      appearance,
    }),
    [amountCents, isHold, appearance],
  )
  if (!stripe) return null
  return (
    <Elements stripe={stripe} options={options}>
      <Fields onPayer={onPayer} onReady={onReady} onFailed={onFailed} />
    </Elements>
  )
}

function Fields({ onPayer, onReady, onFailed }: Pick<StripeFieldsProps, 'onPayer' | 'onReady' | 'onFailed'>) {
  const stripe = useStripe()
  const elements = useElements()
  useEffect(() => {
    if (!stripe || !elements) return
    onPayer({
      check: async () => {
        const { error } = await elements.submit()
        return error ? (error.message ?? 'Check your card details.') : null
      },
      pay: async (clientSecret) => {
        const { error, paymentIntent } = await stripe.confirmPayment({
          elements,
          clientSecret,
          confirmParams: { return_url: window.location.origin + paths.orderConfirmation },
          redirect: 'if_required',
        })
        return error
          ? { problem: error.message ?? 'The payment failed. Try again or use another card.' }
          : { paymentId: paymentIntent.id }
      },
    })
    return () => onPayer(null)
  }, [stripe, elements, onPayer])
  return <PaymentElement onReady={onReady} onLoadError={onFailed} />
}

/** The page's colors and sizes in the active theme. */
function useAppearance(): Appearance {
  const [appearance, setAppearance] = useState(readAppearance)
  useEffect(() => {
    const observer = new MutationObserver(() => setAppearance(readAppearance()))
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => observer.disconnect()
  }, [])
  return appearance
}

const readAppearance = (): Appearance => ({
  theme: document.documentElement.dataset['theme'] === 'pharma-dark' ? 'night' : 'stripe',
  variables: {
    colorPrimary: resolveColor('--color-primary'),
    colorBackground: resolveColor('--color-base-100'),
    colorText: resolveColor('--color-base-content'),
    colorDanger: resolveColor('--color-error'),
    fontFamily: 'system-ui, sans-serif',
    fontSizeBase: '16px',
    spacingUnit: '4px',
    borderRadius: '8px',
  },
})

/** Stripe does not support oklch(), so the browser converts the color to RGB. */
function resolveColor(token: string): string {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) return ''
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(token)
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
