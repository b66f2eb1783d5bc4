import { emptyCart } from '#domain/cart/cart.ts'
import { paths } from '#domain/paths.ts'
import { screenCart } from '#server/alerts/screen-shopping.ts'
import { renderAlertCard } from '../../components/alert-card.server.tsx'
import { CartLines, CartTotal, cartTitle, quantitiesForm } from '../../components/CartLines.tsx'
import { Alert } from '../../ui/Alert.tsx'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { cartAction } from '../../http/cart-form.server.ts'
import { readCartToken } from '../../http/cookies.server.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { useFrame } from '../../components/frame.ts'
import type { Route } from './+types/cart'

/** The cart itself is in the root's data. */
export const loader = pageLoader(async ({ request, context }: Route.LoaderArgs) => {
  const { ctx, env } = context.get(requestContext)
  const alerts = await screenCart(ctx, await readCartToken(request, env))
  return { alerts: alerts && renderAlertCard(alerts.view) }
})

export const action = (args: Route.ActionArgs) => cartAction(args)

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'Shopping Cart',
    description: 'The items in your cart and their prices.',
    noindex: true,
  })

export default function Cart({ actionData, loaderData: { alerts } }: Route.ComponentProps) {
  const cart = useFrame()?.cart ?? emptyCart
  const failure = actionData && 'message' in actionData ? actionData : null
  const hasLines = cart.lines.length > 0
  // A failure of a line is shown with the line.
  const isLineFailure = cart.lines.some(({ variant }) => variant.id === failure?.values['variantId'])
  const reason = failure && !isLineFailure && (Object.values(failure.fields)[0] ?? failure.message)
  return (
    <div className="page pt-8">
      <h1 className="text-xl sm:text-2xl">{cartTitle(cart)}</h1>
      {reason ? (
        <div className="mt-4">
          <Alert kind="error" title={reason} />
        </div>
      ) : null}
      <div className={hasLines ? 'mt-4 grid items-start gap-x-10 gap-y-6 lg:grid-cols-[2fr_1fr]' : ''}>
        <div>
          <CartLines cart={cart} failure={failure} />
          {alerts ? <div className="mt-4" dangerouslySetInnerHTML={{ __html: alerts }} /> : null}
        </div>
        {hasLines ? (
          <section aria-labelledby="summary" className="card bg-base-200 p-5">
            <h2 id="summary" className="text-lg">
              Order summary
            </h2>
            <div className="mt-3">
              <CartTotal cart={cart} />
            </div>
            <LinkButton kind="primary" to={paths.checkout} className="mt-4 w-full noscript:hidden">
              Proceed to Checkout
            </LinkButton>
            <form id={quantitiesForm} method="post" action={paths.cart} className="hidden noscript:block">
              <input type="hidden" name="intent" value="update-all" />
              <Button kind="primary" name="from" value="checkout" className="mt-4 w-full">
                Proceed to Checkout
              </Button>
            </form>
            {cart.lines.some((line) => line.product.category === 'Rx') ? (
              <p className="mt-3 text-sm text-muted">
                This cart contains prescription medications. A pharmacist checks each one before it ships.
              </p>
            ) : null}
          </section>
        ) : null}
      </div>
    </div>
  )
}
