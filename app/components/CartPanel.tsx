import type { CartView } from '#domain/cart/cart.ts'
import { paths } from '#domain/paths.ts'
import { LinkButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { CartLines, CartTotal, cartTitle } from './CartLines.tsx'

/** The cart in a side panel. Without scripts, the cart page takes its place. */
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
          <LinkButton kind="primary" to={paths.checkout} className="mt-4 w-full" onClick={onClose}>
            Proceed to Checkout
          </LinkButton>
          <LinkButton kind="quiet" to={paths.cart} className="mt-2 w-full" onClick={onClose}>
            View cart
          </LinkButton>
        </>
      ) : null
    }
  >
    <CartLines cart={cart} onLeave={onClose} />
  </Dialog>
)
