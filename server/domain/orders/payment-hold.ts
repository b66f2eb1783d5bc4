/**
 * `authorized → capturing | voiding` is one conditional transition that stores the amount before
 * the provider is called. A capture that the provider refuses goes back to `authorized`. `failed`:
 * the authorization lapsed before it was captured.
 */
export type PaymentHoldStatus = 'authorized' | 'capturing' | 'captured' | 'voiding' | 'voided' | 'failed'

/** When the provider does not say when an authorization lapses: the shortest time of a card. */
export const shortestAuthorizationMs = 4 * 24 * 3600_000

const hourMs = 3600_000

/**
 * When an authorization lapses, and when the shop removes what is undecided and captures the rest.
 * A long margin never takes more than half of the time that pharmacists have.
 */
export function computeLapse(
  { captureBefore, createdAt }: { captureBefore: Date | null; createdAt: Date },
  captureMarginHours: number,
): { lapsesAt: Date; decideBy: Date; marginMs: number } {
  const lapsesAt = captureBefore ?? new Date(createdAt.getTime() + shortestAuthorizationMs)
  const marginMs = Math.min(captureMarginHours * hourMs, (lapsesAt.getTime() - createdAt.getTime()) / 2)
  return { lapsesAt, decideBy: new Date(lapsesAt.getTime() - marginMs), marginMs }
}

/**
 * What cancelling an order does to the card: refunds what was captured, voids the authorization, or
 * waits for a capture that is under way, which is then refunded. `nothing`: all of it was refunded
 * before.
 */
export type CardEffect = 'refunds' | 'voids' | 'waits' | 'nothing'

export function getCardEffect({
  capturedCents,
  refundCents,
  holdStatus,
}: {
  capturedCents: number
  refundCents: number
  /** Null for an order that was charged at checkout. */
  holdStatus: PaymentHoldStatus | null
}): CardEffect {
  if (capturedCents > 0 || holdStatus === null) return refundCents > 0 ? 'refunds' : 'nothing'
  return holdStatus === 'capturing' ? 'waits' : 'voids'
}

/**
 * The state of an order's payment, as pages show it. `charged` includes orders paid at checkout.
 */
export type PaymentState =
  | 'authorized'
  | 'capturing'
  /** The provider refused the capture; staff can try again. */
  | 'refused'
  | 'charged'
  | 'voiding'
  | 'voided'
  | 'lapsed'

const states = {
  authorized: 'authorized',
  capturing: 'capturing',
  captured: 'charged',
  voiding: 'voiding',
  voided: 'voided',
  failed: 'lapsed',
} as const satisfies Record<PaymentHoldStatus, PaymentState>

/** @param hold null for an order that was charged at checkout */
export function getPaymentState(
  hold: { status: PaymentHoldStatus; refusedAt: Date | null } | null,
): PaymentState {
  if (!hold) return 'charged'
  return hold.status === 'authorized' && hold.refusedAt !== null ? 'refused' : states[hold.status]
}

/** Each state as staff read it. */
export const paymentLabels = {
  authorized: 'Authorized',
  capturing: 'Capturing',
  refused: 'Capture refused',
  charged: 'Captured',
  voiding: 'Voiding',
  voided: 'Voided',
  lapsed: 'Authorization lapsed',
} as const satisfies Record<PaymentState, string>

/** An order's payment: what was authorized and captured, and what happens to it next. */
export type OrderPayment = {
  state: PaymentState
  authorizedCents: number
  capturedCents: number
  /** When it must be captured. Null when nothing is authorized. */
  captureBefore: Date | null
  /** When the provider refused to capture it. */
  refusedAt: Date | null
}

/** @param hold null for an order that was charged at checkout */
export function getOrderPayment(
  { totalCents, capturedCents }: { totalCents: number; capturedCents: number },
  hold: {
    status: PaymentHoldStatus
    authorizedCents: number
    captureBefore: Date | null
    refusedAt: Date | null
  } | null,
): OrderPayment {
  return {
    state: getPaymentState(hold),
    authorizedCents: hold?.authorizedCents ?? totalCents,
    capturedCents,
    captureBefore: hold?.status === 'authorized' ? hold.captureBefore : null,
    refusedAt: hold?.refusedAt ?? null,
  }
}
