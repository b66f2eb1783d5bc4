import { searchProducts } from '#server/catalog/search-products.ts'
import { Link } from 'react-router'
import { pageLoader } from '../../lib/page-loader.server.ts'
import { contextOf } from '../../lib/request-context.server.ts'
import type { Route } from './+types/home'

export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const { products } = await searchProducts(contextOf(args), { limit: 8 })
  return { popular: products }
})

export const meta: Route.MetaFunction = () => [
  { title: 'Meridian: Your Global Pharmacy Marketplace' },
  {
    name: 'description',
    content: 'Find prescription and over-the-counter medicines of licensed partner pharmacies.',
  },
]

export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <h1>Your Global Pharmacy Marketplace</h1>
      <h2>Popular Medications</h2>
      <ul>
        {loaderData.popular.map((product) => (
          <li key={product.id}>
            <Link to={`/products/${product.id}`}>{product.name}</Link>
          </li>
        ))}
      </ul>
    </>
  )
}
