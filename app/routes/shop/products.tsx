import { manufacturerChoice } from '#server/catalog/choose-manufacturer.ts'
import { searchProducts } from '#server/catalog/search-products.ts'
import { Link } from 'react-router'
import { pageLoader } from '../../lib/page-loader.server.ts'
import { contextOf } from '../../lib/request-context.server.ts'
import { readSearch } from '../../lib/search-params.server.ts'
import type { Route } from './+types/products'

export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const ctx = contextOf(args)
  const search = readSearch(new URL(args.request.url).searchParams)
  const [result, manufacturers] = await Promise.all([
    searchProducts(ctx, search),
    manufacturerChoice(ctx, search.manufacturerId),
  ])
  return { search, result, manufacturers }
})

export default function Products({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <h1>Products</h1>
      <ul>
        {loaderData.result.products.map((product) => (
          <li key={product.id}>
            <Link to={`/products/${product.id}`}>{product.name}</Link>
          </li>
        ))}
      </ul>
    </>
  )
}
