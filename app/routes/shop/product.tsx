import { dollars } from '#domain/money.ts'
import { brandLabel, packLabel, strengthLabel } from '#domain/catalog.ts'
import { viewProduct } from '#server/catalog/view-product.ts'
import { Form } from 'react-router'
import { cartAction } from '../../lib/cart-form.server.ts'
import { pageLoader } from '../../lib/page-loader.server.ts'
import { contextOf } from '../../lib/request-context.server.ts'
import { readVariantChoice } from '../../lib/search-params.server.ts'
import type { Route } from './+types/product'

export const loader = pageLoader(async (args: Route.LoaderArgs) =>
  viewProduct(contextOf(args), args.params.id, readVariantChoice(new URL(args.request.url).searchParams)),
)

export const action = (args: Route.ActionArgs) => cartAction(args)

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData
    ? [{ title: `${loaderData.product.name} | Meridian` }]
    : [{ title: 'Product not found | Meridian' }]

export default function Product({ loaderData, actionData }: Route.ComponentProps) {
  const { product, variants, selectedId } = loaderData
  return (
    <>
      <h1>{product.name}</h1>
      {actionData && 'message' in actionData && <p role="alert">{actionData.message}</p>}
      <Form method="post">
        {variants.map((variant) => (
          <label key={variant.id}>
            <input
              type="radio"
              name="variantId"
              value={variant.id}
              defaultChecked={variant.id === selectedId}
            />
            {brandLabel(variant)} {strengthLabel(variant)} {packLabel(variant)}{' '}
            {variant.price ? dollars(variant.price) : 'No price'}
          </label>
        ))}
        <label>
          Quantity <input name="quantity" type="number" defaultValue={1} />
        </label>
        <button>Add to Cart</button>
      </Form>
    </>
  )
}
