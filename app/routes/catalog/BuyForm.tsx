import { canBuy, type Product, type VariantDetail } from '#domain/catalog/catalog.ts'
import type { ListedOffer, OpenChoice, Saving } from '#domain/catalog/variant-choice.ts'
import { paths } from '#domain/paths.ts'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useFetcher, useLocation } from 'react-router'
import { cartTarget, type CartReply } from '../../http/cart-reply.ts'
import { unreachableReply } from '../../http/network-fallback.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { showToast } from '../../ui/toasts.ts'
import { BuyBox } from './BuyBox.tsx'
import { VariantPicker } from './VariantPicker.tsx'

type BuyFormProps = {
  product: Pick<Product, 'id' | 'controlledSchedule'>
  variants: readonly ListedOffer[]
  openChoice: OpenChoice
  unlisted: number
  moreHref: string
  savings: Readonly<Record<string, Saving>>
  selected: VariantDetail | undefined
  onSelect: (id: string) => void
  /** The response when the form was posted without scripts. */
  reply: CartReply | undefined
}

/** A connection error is a toast, because it is not about the selection. */
const showConnectionError = () =>
  showToast({ kind: 'error', title: 'Couldn’t add to cart', text: unreachableReply.message })

/**
 * Choose a variant and a quantity, and add it to the cart. With scripts, the page does not reload.
 */
export function BuyForm({
  product,
  variants,
  openChoice,
  unlisted,
  moreHref,
  savings,
  selected,
  onSelect,
  reply,
}: BuyFormProps) {
  const fetcher = useFetcher<CartReply>()
  const [postedId, setPostedId] = useState<string | null>(null)
  // A second click can come before the page shows the pending state, and would add the quantity
  // again.
  const sending = useRef(false)
  // A message about one variant does not apply to another.
  const answer = (selected && postedId === selected.id ? fetcher.data : undefined) ?? reply
  const refused =
    answer && 'fields' in answer && !answer.isUnreachable && fetcher.state === 'idle' ? answer : null
  // The button is enabled again before the promise of the submission settles. React may skip the
  // pending states of a fast response: then only the data changes. A layout effect, so that a press
  // just after "Added to cart" appears is not ignored.
  useLayoutEffect(() => {
    if (fetcher.state === 'idle') sending.current = false
  }, [fetcher.state, fetcher.data])
  useEffect(() => {
    if (!fetcher.data || !('fields' in fetcher.data)) return
    if (fetcher.data.isUnreachable) showConnectionError()
    if (fetcher.data.fields['quantity']) document.getElementById('quantity')?.focus()
  }, [fetcher.data])
  const { search } = useLocation()
  const path = paths.product(product.id)
  // Without a choice, the form can be posted: the answer says what is missing.
  const disabled = !(selected ? [selected] : variants).some((variant) => canBuy(product, variant))
  const [wasTried, setWasTried] = useState(Boolean(refused?.fields['variantId']))
  return (
    <form
      method="post"
      // With the page's filters, so that a failed form returns to the same list.
      action={path + search}
      noValidate
      onSubmit={(event) => {
        const submitter = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null
        if (submitter?.hasAttribute('formmethod')) return
        event.preventDefault()
        if (!selected) {
          setWasTried(true)
          event.currentTarget.querySelector<HTMLInputElement>('[type=radio]')?.focus()
          return
        }
        if (sending.current) return
        // The router would reload the page for a script that it cannot fetch.
        if (!navigator.onLine) return showConnectionError()
        sending.current = true
        const form = new FormData(event.currentTarget)
        form.set('stay', '1')
        // Setting the same state again makes React render, discard the result, and still keep its
        // effect dependencies. The effect on `fetcher.data` would miss a reply that the router
        // received by then.
        if (postedId !== selected.id) setPostedId(selected.id)
        void fetcher.submit(form, cartTarget).finally(() => {
          sending.current = false
        })
      }}
    >
      {/* Enter in a field clicks the form's first button, which must be Add to Cart. */}
      <button hidden aria-label="Add" disabled={disabled} />
      <input type="hidden" name="intent" value="add" />
      <VariantPicker
        variants={variants}
        openChoice={openChoice}
        isMissing={wasTried && !selected}
        selectedId={selected?.id ?? null}
        onSelect={onSelect}
        savings={savings}
        unlisted={unlisted}
        moreHref={moreHref}
      />
      {variants.length > 1 ? (
        // Without scripts, selecting a radio cannot update the page. This button reloads it for the
        // selected variant.
        <Button
          formMethod="get"
          formAction={path}
          formNoValidate
          className="mt-3 hidden noscript:inline-flex"
        >
          Show selected
        </Button>
      ) : null}
      <BuyBox
        // A failed form keeps what was typed.
        key={reply ? 'answered' : 'fresh'}
        product={product}
        variant={selected}
        openChoice={openChoice}
        saving={selected && savings[selected.id]}
        quantity={(reply && 'values' in reply ? reply.values['quantity'] : undefined) ?? '1'}
        quantityError={refused?.fields['quantity']}
        disabled={disabled}
        added={fetcher.state === 'idle' && answer !== undefined && 'done' in answer}
      />
      {refused && selected && !refused.fields['quantity'] ? (
        <div className="mt-3">
          <Alert
            kind="error"
            title={refused.message ?? refused.fields['variantId'] ?? 'We couldn’t add this to your cart.'}
          />
        </div>
      ) : null}
    </form>
  )
}
