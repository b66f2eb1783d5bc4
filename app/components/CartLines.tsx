import { maxQuantity, type CartLine, type CartView } from '#domain/cart/cart.ts'
import { dollars } from '#domain/money.ts'
import { paths } from '#domain/paths.ts'
import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { useFetcher } from 'react-router'
import { Link } from '../render/Link.tsx'
import { useHydrated } from '../ui/use-hydrated.ts'
import { cartTarget, type CartReply } from '../http/cart-reply.ts'
import type { FormFailure } from '../http/form-failure.ts'
import { unreachableReply } from '../http/network-fallback.ts'
import { PrescriptionState } from './PrescriptionState.tsx'
import { VariantLine } from './VariantFacts.tsx'
import { LinkButton } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Minus, Plus, ShoppingCart, Trash } from '../ui/icons.tsx'

/** Without scripts, the form on the cart page with the quantities of all lines. */
export const quantitiesForm = 'quantities'

type CartLinesProps = {
  cart: CartView
  onLeave?: () => void
  /** The response to a line's form that was posted without scripts. */
  failure?: FormFailure | null
}

/**
 * The cart's lines with their controls, for the panel and the cart page. When empty, the next
 * action.
 */
export function CartLines({ cart, onLeave, failure }: CartLinesProps) {
  const group = useRef<HTMLDivElement>(null)
  const count = cart.lines.length
  const countBefore = useRef(count)
  // The Remove button disappears with its line. Keep keyboard focus in the cart.
  useEffect(() => {
    if (count < countBefore.current && document.activeElement === document.body) group.current?.focus()
    countBefore.current = count
  }, [count])
  return (
    <div ref={group} role="group" aria-label="Items in the cart" tabIndex={-1} className="outline-none">
      {count > 0 ? (
        <ul className="divide-y divide-line">
          {cart.lines.map((line) => (
            <Line
              key={line.variant.id}
              line={line}
              posted={failure?.values['variantId'] === line.variant.id ? failure : undefined}
              {...(onLeave && { onLeave })}
            />
          ))}
        </ul>
      ) : (
        <EmptyState
          icon={<ShoppingCart />}
          title="Your cart is empty"
          actions={
            <LinkButton kind="primary" to={paths.products} {...(onLeave && { onClick: onLeave })}>
              Browse Medications
            </LinkButton>
          }
        >
          Search by name, NDC, DIN or UPC to find a medication.
        </EmptyState>
      )}
    </div>
  )
}

type LineProps = { line: CartLine; posted: FormFailure | undefined; onLeave?: () => void }

function Line({ line, posted, onLeave }: LineProps) {
  const { product, variant } = line
  const problemId = `problem-${variant.id}`
  const hydrated = useHydrated()
  // One request per line at a time: a new click replaces the pending one.
  const fetcher = useFetcher<CartReply>({ key: `cart-line-${variant.id}` })
  const sent = fetcher.formData
  const removing = sent?.get('intent') === 'remove'
  const quantity = sent?.has('quantity') ? Number(sent.get('quantity')) : line.quantity
  const [offline, setOffline] = useState(false)
  const answer = offline ? unreachableReply : (fetcher.data ?? posted)
  const refused = fetcher.state === 'idle' && answer && 'fields' in answer ? answer : null
  const refusal = refused && (refused.fields['quantity'] ?? refused.message)

  const stay = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent
    // Not `disabled`, which would lose the focus.
    if (submitter?.ariaDisabled) return
    setOffline(!navigator.onLine)
    if (!navigator.onLine) return
    const form = new FormData(event.currentTarget, submitter)
    form.set('stay', '1')
    void fetcher.submit(form, cartTarget)
  }
  const form = { method: 'post', action: paths.cart, onSubmit: stay } as const

  return (
    <li className={`flex gap-4 py-4 ${removing ? 'opacity-50' : ''}`} aria-busy={fetcher.state !== 'idle'}>
      <Link
        to={paths.product(product.id, { variant: variant.id })}
        className="tile size-16 max-w-1/5 flex-none sm:size-20 overflow-hidden rounded-field"
        tabIndex={-1}
        aria-hidden="true"
        {...(onLeave && { onClick: onLeave })}
      >
        <img src={product.image} alt="" width={80} height={60} loading="lazy" className="w-full" />
      </Link>
      <div className="min-w-0 flex-1 wrap-anywhere">
        <div className="flex flex-wrap items-start gap-x-3">
          <p className="min-w-0 flex-[1_1_6rem] leading-snug font-semibold">
            <Link
              to={paths.product(product.id, { variant: variant.id })}
              className="hover:underline"
              {...(onLeave && { onClick: onLeave })}
            >
              {product.name}
            </Link>
          </p>
          <p className="font-semibold tabular-nums">{dollars(line.subtotal)}</p>
        </div>
        <p className="text-sm text-muted">{product.kind}</p>
        <p className="text-sm text-muted">
          <VariantLine variant={variant} />
          {variant.price ? (
            <>
              <span className="max-sm:hidden"> · </span>
              <span className="tabular-nums max-sm:block sm:whitespace-nowrap">
                {dollars(variant.price)} each
              </span>
            </>
          ) : null}
        </p>
        {line.priceNote && <p className="mt-1 text-sm font-medium text-warning">{line.priceNote}</p>}
        {line.problem && line.problem !== refusal ? (
          <p className="text-sm font-medium text-error">{line.problem}</p>
        ) : null}
        {line.prescription ? <PrescriptionState state={line.prescription} /> : null}
        <div className="mt-2 flex flex-wrap items-center gap-2">
          <form
            {...form}
            className="flex max-w-full items-center rounded-field border border-base-content/55 noscript:hidden"
          >
            <input type="hidden" name="intent" value="update" />
            <input type="hidden" name="variantId" value={variant.id} />
            <button
              name="quantity"
              value={quantity - 1}
              aria-disabled={quantity <= 1 || undefined}
              className="btn btn-ghost btn-square shrink aria-disabled:opacity-50"
              aria-label={`Decrease quantity of ${product.name}`}
            >
              <Minus className="size-4" />
            </button>
            <span className="min-w-8 text-center font-semibold tabular-nums" aria-live="polite">
              <span className="sr-only">Quantity </span>
              {quantity}
            </span>
            <button
              name="quantity"
              value={quantity + 1}
              aria-disabled={quantity >= maxQuantity || undefined}
              className="btn btn-ghost btn-square shrink aria-disabled:opacity-50"
              aria-label={`Increase quantity of ${product.name}`}
            >
              <Plus className="size-4" />
            </button>
          </form>
          {hydrated ? null : (
            <div className="hidden items-end gap-2 noscript:flex">
              <input
                type="hidden"
                form={quantitiesForm}
                name="shown"
                value={`${variant.id} ${line.quantity}`}
              />
              <label className="w-24">
                <span className="block text-sm">Quantity</span>
                <input
                  className="input"
                  type="number"
                  form={quantitiesForm}
                  name="quantity"
                  min={0}
                  max={maxQuantity}
                  defaultValue={posted?.values['quantity'] ?? line.quantity}
                  // The browser scrolls to it after a failure.
                  // oxlint-disable-next-line jsx-a11y/no-autofocus
                  autoFocus={posted !== undefined}
                  aria-invalid={posted && true}
                  aria-describedby={posted && problemId}
                />
              </label>
              <button form={quantitiesForm} className="btn btn-outline">
                Update
              </button>
            </div>
          )}
          <form {...form} className="-me-3 ms-auto">
            <input type="hidden" name="intent" value="remove" />
            <input type="hidden" name="variantId" value={variant.id} />
            <button className="btn btn-ghost px-3" aria-label={`Remove of ${product.name}`}>
              <Trash className="size-4" />
              Remove
            </button>
          </form>
        </div>
        {refusal ? (
          <p id={problemId} role="alert" className="mt-1 text-sm font-medium text-error">
            {refusal}
          </p>
        ) : null}
      </div>
    </li>
  )
}

/** The total. There are no other charges. */
export const CartTotal = ({ cart }: { cart: CartView }) => (
  <div>
    <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-lg font-semibold">
      <span>Total</span>
      <span className="tabular-nums">{dollars(cart.total)}</span>
    </p>
    <p className="text-sm text-muted">In USD. Free shipping.</p>
  </div>
)

/** "Shopping Cart (3 items)", as the specification words it. */
export const cartTitle = (cart: CartView): string => `Shopping Cart (${cart.count} items)`
