import { Form } from 'react-router'
import type { RefusedLineView } from '../../components/orders/order-labels.ts'
import { Button } from '../../ui/Button.tsx'
import { RefreshCw } from '../../ui/icons.tsx'

/** The items that were removed from an order, why, and a button to order them again. */
export const RefusedItems = ({ items }: { items: readonly RefusedLineView[] }) =>
  items.length === 0 ? null : (
    <section aria-labelledby="removed" className="border-t border-line py-3">
      <h3 id="removed" className="font-semibold">
        Removed from this order
      </h3>
      <ul>
        {items.map(({ id, product, quantity, reason }) => (
          <li key={id} className="mt-1 wrap-anywhere">
            {product.name}, quantity {quantity}
            <span className="block text-sm text-muted">{reason}</span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm text-muted">You don’t pay for these items.</p>
      <Form method="post" className="mt-3 print:hidden">
        <Button name="intent" value="again-refused" className="max-sm:w-full">
          <RefreshCw />
          Order removed items again
        </Button>
      </Form>
    </section>
  )
