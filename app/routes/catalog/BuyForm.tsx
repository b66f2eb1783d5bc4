import { canBuy, type Product, type VariantDetail } from '#domain/catalog/catalog.ts'
import type { Saving } from '#domain/catalog/variant-choice.ts'
import { paths } from '#domain/paths.ts'
import { useEffect, useRef, useState } from 'react'
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
  variants: readonly VariantDetail[]
  unlisted: number
  moreHref: string
  savings: Readonly<Record<string, Saving>>
  selected: VariantDetail
  onSelect: (id: string) => void
  /** The answer to the form when it was posted without scripts. */
  reply: CartReply | undefined
}

/** It says nothing about what was chosen, so it does not stand beside it. */
const sayUnreached = () =>
  showToast({ kind: 'error', title: 'Not added to your cart', text: unreachableReply.message })

/** Choose a variant, say how many, add it to the cart. With scripts the page stays as it is. */
export function BuyForm({
  product,
  variants,
  unlisted,
  moreHref,
  savings,
  selected,
  onSelect,
  reply,
}: BuyFormProps) {
  const fetcher = useFetcher<CartReply>()
  const [postedId, setPostedId] = useState<string | null>(null)
  // A second press comes before the page shows that the first is on its way; it would add as many again.
  const sending = useRef(false)
  // What was said about one variant says nothing about another.
  const answer = (postedId === selected.id ? fetcher.data : undefined) ?? reply
  const refused =
    answer && 'fields' in answer && !answer.isUnreachable && fetcher.state === 'idle' ? answer : null
  useEffect(() => {
    if (fetcher.data && 'isUnreachable' in fetcher.data) sayUnreached()
  }, [fetcher.data])
  const { search } = useLocation()
  const path = paths.product(product.id)
  return (
    <form
      method="post"
      // With the narrowing of this page, so that a refused form comes back to the same list.
      action={path + search}
      noValidate
      onSubmit={(event) => {
        const submitter = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null
        if (submitter?.hasAttribute('formmethod')) return
        event.preventDefault()
        if (sending.current) return
        // The router would load the page anew for a script that it cannot fetch.
        if (!navigator.onLine) return sayUnreached()
        sending.current = true
        const form = new FormData(event.currentTarget)
        form.set('stay', '1')
        setPostedId(selected.id)
        void fetcher.submit(form, cartTarget).finally(() => {
          sending.current = false
        })
      }}
    >
      {/* Enter in a field presses the form's first button. It shall add, and not ask for the page of the chosen one. */}
      <button hidden aria-label="Add" disabled={!canBuy(product, selected)} />
      <input type="hidden" name="intent" value="add" />
      <VariantPicker
        variants={variants}
        selectedId={selected.id}
        onSelect={onSelect}
        savings={savings}
        unlisted={unlisted}
        moreHref={moreHref}
      />
      {variants.length > 1 ? (
        // Without scripts a choice cannot change what stands below: this asks for the page of the chosen one.
        <Button
          formMethod="get"
          formAction={path}
          formNoValidate
          className="mt-3 hidden noscript:inline-flex"
        >
          Show the chosen one
        </Button>
      ) : null}
      <BuyBox
        // An answer that refuses keeps what was typed.
        key={reply ? 'answered' : 'fresh'}
        product={product}
        variant={selected}
        saving={savings[selected.id]}
        quantity={(reply && 'values' in reply && reply.values['quantity']) || '1'}
        quantityError={refused?.fields['quantity']}
        busy={fetcher.state !== 'idle'}
        added={fetcher.state === 'idle' && answer !== undefined && 'done' in answer}
      />
      {refused && !refused.fields['quantity'] ? (
        <div className="mt-3">
          <Alert
            kind="error"
            title={refused.message ?? refused.fields['variantId'] ?? 'This could not be added.'}
          />
        </div>
      ) : null}
    </form>
  )
}
