import { useNavigation } from 'react-router'
import { formatDay, type RefusedLineView } from '../../components/orders/order-labels.ts'
import { Button } from '../../ui/Button.tsx'
import { RefreshCw } from '../../ui/icons.tsx'
import { PostForm } from '../../ui/PostForm.tsx'
import { LineFacts, LineName, LinePerson, type LinePeople } from './OrderLines.tsx'

type RefusedItemsProps = {
  items: readonly RefusedLineView[]
  people: LinePeople
  /** The variants that still have a product page to link to. */
  offered: readonly string[]
}

/** The items that were removed from an order, why, and a button to order them again. */
export function RefusedItems({ items, people, offered }: RefusedItemsProps) {
  const isSending = useNavigation().formData?.get('intent') === 'again-refused'
  if (items.length === 0) return null
  return (
    <section aria-labelledby="removed" className="border-t border-line py-3">
      <h3 id="removed" className="font-semibold">
        Removed from this order
      </h3>
      <p className="text-sm text-muted">You don’t pay for these items.</p>
      <ul>
        {items.map((line) => (
          <li key={line.id} className="mt-2 wrap-anywhere">
            <LineName line={line} isOffered={offered.includes(line.productVariantId)} />
            <span className="block text-sm text-muted">
              <LineFacts variant={line.variant} />, quantity {line.quantity}
            </span>
            <LinePerson name={people[line.id]} />
            <span className="block text-sm whitespace-pre-line">
              <b className="font-medium text-error">
                Removed on <time dateTime={line.refusedAt}>{formatDay(line.refusedAt)}</time>:
              </b>{' '}
              {line.reason}
            </span>
          </li>
        ))}
      </ul>
      <PostForm className="mt-3 print:hidden">
        <Button
          name="intent"
          value="again-refused"
          className="max-sm:w-full"
          aria-disabled={isSending || undefined}
        >
          <RefreshCw />
          Order removed items again
        </Button>
      </PostForm>
    </section>
  )
}
