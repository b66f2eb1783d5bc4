import type { CartView } from '#domain/cart.ts'
import { LinkButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { CartLines, CartTotal } from './CartLines.tsx'
import { ShoppingCart } from '../ui/icons.tsx'

/** "Shopping Cart (3 items)", the words of the specification. */
export const cartTitle = (cart: CartView): string => `Shopping Cart (${cart.count} items)`

/** The cart beside the page. Without scripts the cart's own page does the same. */
export const CartPanel = ({
  cart,
  open,
  onClose,
}: {
  cart: CartView
  open: boolean
  onClose: () => void
}) => (
  <Dialog
    open={open}
    onClose={onClose}
    title={cartTitle(cart)}
    place="side"
    footer={
      cart.lines.length > 0 ? (
        <>
          <CartTotal cart={cart} />
          <LinkButton kind="primary" to="/checkout" className="mt-4 w-full" onClick={onClose}>
            Proceed to Checkout
          </LinkButton>
          <LinkButton kind="quiet" to="/cart" className="mt-2 w-full" onClick={onClose}>
            View the whole cart
          </LinkButton>
        </>
      ) : null
    }
  >
    {cart.lines.length > 0 ? <CartLines cart={cart} onLeave={onClose} /> : <EmptyCart onLeave={onClose} />}
  </Dialog>
)

/** The documented words, and the next thing to do. */
export const EmptyCart = ({ onLeave }: { onLeave?: () => void }) => (
  <EmptyState
    icon={<ShoppingCart />}
    title="Your cart is empty"
    actions={
      <LinkButton kind="primary" to="/products" {...(onLeave && { onClick: onLeave })}>
        Browse Medications
      </LinkButton>
    }
  >
    Search by name, NDC, DIN or UPC to find a medicine.
  </EmptyState>
)
