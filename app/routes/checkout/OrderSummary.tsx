import { lineFieldId, withChosen } from '#domain/dispensing/line-state.ts'
import { dollars } from '#domain/money.ts'
import { paths } from '#domain/paths.ts'
import type { CheckoutLine } from '#server/checkout/get-checkout-lines.ts'
import type { ReactNode } from 'react'
import { useFetcher } from 'react-router'
import { PrescriptionState } from '../../components/PrescriptionState.tsx'
import { VariantLine } from '../../components/VariantFacts.tsx'
import { ChevronDown, ShoppingBag } from '../../ui/icons.tsx'
import { Link } from '../../render/Link.tsx'
import type { PrescriptionOption } from './prescription-options.server.ts'

type OrderSummaryProps = {
  lines: readonly CheckoutLine[]
  totalCents: number
  /** The delivery time, in a sentence. */
  delivery: string
  /** The prescription that is selected for lines without an item of their own. */
  chosen: PrescriptionOption | null
}

/**
 * The order, always visible: beside the form, and on a phone as one sticky line that opens. A
 * problem, a changed price or a prescription opens it initially and makes it static, because it
 * would cover a phone's form.
 */
export function OrderSummary({ lines, totalCents, delivery, chosen }: OrderSummaryProps) {
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const isOpen = lines.some((line) => line.problem ?? line.prescription ?? line.priceNote)
  return (
    <aside
      id="order"
      aria-labelledby="order-heading"
      tabIndex={-1}
      className={`order-summary card bg-base-200 px-4 lg:col-start-2 lg:row-start-1 lg:p-5 lg:pb-0 ${isOpen ? 'max-lg:static max-lg:max-h-none' : ''}`}
    >
      <h2 id="order-heading" className="text-lg max-lg:sr-only">
        Order summary
      </h2>
      <details className="group" open={isOpen}>
        <summary className="min-h-13 items-center gap-x-2 rounded-field bg-base-200 font-semibold max-lg:flex max-lg:flex-wrap">
          <ShoppingBag className="icon text-primary" />
          {count === 1 ? '1 item' : `${count} items`}
          <span className="ms-auto tabular-nums">{dollars(totalCents)}</span>
          <ChevronDown className="icon transition-transform group-open:rotate-180" />
        </summary>
        <ul className="divide-y divide-line max-lg:border-t max-lg:border-line">
          {lines.map((line) => (
            <Line key={line.variant.id} line={line} chosen={chosen} />
          ))}
        </ul>
        <div className="border-t border-line bg-base-200 py-4">
          <p className="flex items-baseline justify-between gap-4">
            <span>Shipping</span>
            <span>Free</span>
          </p>
          <p className="text-sm text-muted">{delivery} Delivery is free.</p>
          <p className="mt-1 flex flex-wrap items-baseline justify-between gap-x-4 text-lg font-semibold">
            <span>Total</span>
            <span className="tabular-nums">{dollars(totalCents)}</span>
          </p>
          <p className="mt-1 flex flex-wrap items-center justify-between gap-x-4 text-sm text-muted">
            <span>In USD</span>
            <Link to={paths.cart} className="text-link inline-flex min-h-11 items-center text-base">
              Edit cart
            </Link>
          </p>
        </div>
      </details>
    </aside>
  )
}

const Line = ({ line, chosen }: { line: CheckoutLine; chosen: PrescriptionOption | null }) => {
  const { product, variant, quantity, priceCents, priceNote, problem, availableQuantity } = line
  const state = line.prescription && withChosen(line.prescription, chosen)
  return (
    <li id={lineFieldId(variant.id)} tabIndex={-1} className="flex gap-3 py-3">
      <span className="tile size-14 max-w-1/5 flex-none overflow-hidden rounded-field">
        <img src={product.image} alt="" width={56} height={42} className="w-full" />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <p className="min-w-0 flex-[1_1_6rem] leading-snug font-semibold wrap-anywhere">{product.name}</p>
          <p className="font-semibold tabular-nums">{dollars((priceCents ?? 0) * quantity)}</p>
        </div>
        <p className="text-sm text-muted">
          <VariantLine variant={variant} />
        </p>
        <p className="text-sm text-muted tabular-nums">
          {quantity} × {priceCents === null ? 'no price' : dollars(priceCents)}
        </p>
        {priceNote && <p className="mt-1 text-sm font-medium text-warning">{priceNote}</p>}
        {state ? <PrescriptionState state={state} /> : null}
        {problem === null ? null : <p className="mt-1 text-sm font-medium text-error">{problem}</p>}
        {problem !== null || state?.kind === 'refused' ? (
          <Fixes line={line} atMost={problem === null ? (state?.allowedPacks ?? 0) : availableQuantity}>
            {state?.needsUpload ? (
              <Link
                to={paths.uploadPrescriptionForCheckout}
                className="btn btn-outline border-base-content/55"
              >
                Upload a new one
              </Link>
            ) : null}
          </Fixes>
        ) : null}
      </div>
    </li>
  )
}

type FixesProps = { line: CheckoutLine; atMost: number; children: ReactNode }

/** What the customer can do about a line that cannot be bought like this. */
function Fixes({ line: { product, variant, quantity }, atMost, children }: FixesProps) {
  const fetcher = useFetcher({ key: `checkout-line-${variant.id}` })
  const target = { method: 'post', action: paths.cart } as const
  const hidden = (
    <>
      <input type="hidden" name="variantId" value={variant.id} />
      <input type="hidden" name="from" value="checkout" />
    </>
  )
  return (
    <div className="mt-2 flex flex-wrap gap-2" aria-busy={fetcher.state !== 'idle'}>
      {atMost > 0 && atMost < quantity ? (
        <fetcher.Form {...target}>
          {hidden}
          <input type="hidden" name="quantity" value={atMost} />
          <button name="intent" value="update" className="btn btn-outline border-base-content/55">
            Order {atMost} instead
          </button>
        </fetcher.Form>
      ) : null}
      <fetcher.Form {...target}>
        {hidden}
        <button
          name="intent"
          value="remove"
          className="btn btn-outline border-base-content/55"
          aria-label={`Remove ${product.name}`}
        >
          Remove
        </button>
      </fetcher.Form>
      {children}
    </div>
  )
}
