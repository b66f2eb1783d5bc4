import { startStripe, type StripeServer } from '#tests/mocks/stripe/server.ts'
import { releaseReports } from '#tests/mocks/stripe/holds.ts'
import { StripeMockError } from '#tests/mocks/stripe/mock-error.ts'
import { stripeKeys } from '#tests/mocks/stripe/stand-in.ts'
import { stripeEnv } from '#tests/support/stripe-env.ts'
import { randomInt } from 'node:crypto'
import type { RecordedPayment } from './provider-records.ts'

const shuffleMs = 400

/** Stripe as a shop under test sees it. Its records are outside of the shop. */
export type StripeProvider = {
  stripe: StripeServer
  env: Record<string, string>
  isUndelivered: (paymentId: string) => boolean
  /** Sends each webhook to the shop three times in any order, and some payments' never. */
  connect: (origin: string) => void
  /** Pays as the customer's browser does. Returns false when that did not succeed. */
  confirm: (clientSecret: string) => boolean
  readPayments: () => Promise<RecordedPayment[]>
  /** What became of the payments, for the reader. */
  countPayments: () => Record<string, number>
}

/** @param undeliveredOneIn of how many payments one gets no webhook */
export async function openStripe({
  undeliveredOneIn,
}: {
  undeliveredOneIn: number
}): Promise<StripeProvider> {
  const stripe = await startStripe()
  const { store } = stripe
  // Stripe's answers have shown the released rest of an authorization in each of these ways.
  store.settings.releaseReport = releaseReports[randomInt(releaseReports.length)] ?? 'nothing'
  const isUndelivered = (paymentId: string): boolean =>
    Number.parseInt(paymentId.slice(-3), 36) % undeliveredOneIn === 0
  return {
    stripe,
    env: stripeEnv(stripe),
    isUndelivered,
    connect: (origin) =>
      stripe.webhooks.connect({
        url: `${origin}/webhooks/stripe`,
        secrets: [stripeKeys.webhook],
        times: 3,
        shuffleMs,
        retries: 2,
        drop: ({ data }) => isUndelivered(String(data.object['payment_intent'] ?? data.object['id'])),
      }),
    confirm: (clientSecret) => {
      try {
        // Not by `stripe.confirm`: an outage of the shop's calls spares the browser's.
        const [id = ''] = clientSecret.split('_secret_')
        const { status } = store.confirmIntent(id, 'pm_card_visa', null)
        return status === 'succeeded' || status === 'requires_capture'
      } catch (error) {
        // The shop has canceled the payment.
        if (error instanceof StripeMockError) return false
        throw error
      }
    },
    readPayments: async () =>
      [...store.intents.values()].map(({ id, status, amount, amount_received: capturedCents }) => ({
        id,
        status: status === 'requires_capture' ? 'authorized' : status,
        amountCents: amount,
        capturedCents,
        refundedCents: [...store.refunds.values()]
          .filter((refund) => refund.payment_intent === id && isMadeByShop(refund.metadata))
          .reduce((sum, refund) => sum + refund.amount, 0),
      })),
    countPayments: () => {
      const authorized = [...store.intents.values()].filter(
        (intent) => intent.capture_method === 'manual' && intent.latest_charge !== null,
      )
      const captured = authorized.filter(({ status }) => status === 'succeeded')
      return {
        captured: captured.length,
        capturedInPart: captured.filter(({ amount, amount_received }) => amount_received < amount).length,
        voided: authorized.filter(({ status }) => status === 'canceled').length,
        waiting: authorized.filter(({ status }) => status === 'requires_capture').length,
        refunds: [...store.refunds.values()].filter(({ metadata }) => isMadeByShop(metadata)).length,
      }
    },
  }
}

/** What a capture releases may be listed as a refund, but without the shop's key. */
const isMadeByShop = (metadata: unknown): boolean =>
  typeof metadata === 'object' && metadata !== null && 'key' in metadata
