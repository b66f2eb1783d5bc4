import { dollars } from '#domain/money.ts'
import { paths } from '#domain/paths.ts'
import type { CheckoutLine } from '#server/checkout/get-checkout-lines.ts'
import { useFetcher } from 'react-router'
import { VariantLine } from '../../components/VariantFacts.tsx'
import { ChevronDown, ShoppingBag } from '../../ui/icons.tsx'
import { Link } from '../../render/Link.tsx'

type OrderSummaryProps = { lines: readonly CheckoutLine[]; totalCents: number }

export const hasPriceChanged = ({ priceCents, addedPriceCents }: CheckoutLine): boolean =>
  priceCents !== addedPriceCents

/**
 * The order, always visible: beside the form, and on a phone as one sticky line that opens. A
 * problem or a changed price opens it initially and makes it static, because it would cover a
 * phone's form.
 */
export function OrderSummary({ lines, totalCents }: OrderSummaryProps) {
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const isOpen = lines.some((line) => line.problem !== null || hasPriceChanged(line))
  return (
    <aside
      id="order"
      aria-labelledby="order-heading"
      tabIndex={-1}
      className={`order-summary card bg-base-200 px-4 lg:col-start-2 lg:row-start-1 lg:p-5 lg:pb-0 ${isOpen ? 'max-lg:static' : ''}`}
    >
      <h2 id="order-heading" className="text-lg max-lg:sr-only">
        Order summary
      </h2>
      <details className="group" open={isOpen}>
        <summary className="min-h-13 items-center gap-2 rounded-field bg-base-200 font-semibold max-lg:flex">
          <ShoppingBag className="icon text-primary" />
          {count === 1 ? '1 item' : `${count} items`}
          <span className="ms-auto tabular-nums">{dollars(totalCents)}</span>
          <ChevronDown className="icon transition-transform group-open:rotate-180" />
        </summary>
        <ul className="divide-y divide-line max-lg:border-t max-lg:border-line">
          {lines.map((line) => (
            <Line key={line.variant.id} line={line} />
          ))}
        </ul>
        <div className="border-t border-line bg-base-200 py-4">
          <p className="flex items-baseline justify-between gap-4">
            <span>Shipping</span>
            <span>Free</span>
          </p>
          <p className="mt-1 flex items-baseline justify-between gap-4 text-lg font-semibold">
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

const Line = ({ line }: { line: CheckoutLine }) => {
  const { product, variant, quantity, priceCents, addedPriceCents, problem } = line
  return (
    <li className="flex gap-3 py-3">
      <span className="tile size-14 flex-none overflow-hidden rounded-field">
        <img src={product.image} alt="" width={56} height={42} className="w-full" />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-3">
          <p className="min-w-0 leading-snug font-semibold wrap-anywhere">{product.name}</p>
          <p className="font-semibold tabular-nums">{dollars((priceCents ?? 0) * quantity)}</p>
        </div>
        <p className="text-sm text-muted">
          <VariantLine variant={variant} />
        </p>
        <p className="text-sm text-muted tabular-nums">
          {quantity} × {priceCents === null ? 'no price' : dollars(priceCents)}
        </p>
        {hasPriceChanged(line) && priceCents !== null ? (
          <p className="mt-1 text-sm font-medium text-warning">
            The price was {dollars(addedPriceCents)} when you added it.
          </p>
        ) : null}
        {problem === null ? null : <Problem line={line} problem={problem} />}
      </div>
    </li>
  )
}

/** Why a line cannot be bought, and how to fix it. */
function Problem({ line, problem }: { line: CheckoutLine; problem: string }) {
  const { product, variant, quantity, availableQuantity: atMost } = line
  const fetcher = useFetcher({ key: `checkout-line-${variant.id}` })
  const target = { method: 'post', action: paths.cart } as const
  const hidden = (
    <>
      <input type="hidden" name="variantId" value={variant.id} />
      <input type="hidden" name="from" value="checkout" />
    </>
  )
  return (
    <>
      <p className="mt-1 text-sm font-medium text-error">{problem}</p>
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
      </div>
    </>
  )
}
