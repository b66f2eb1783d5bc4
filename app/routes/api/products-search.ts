import { categories } from '#domain/catalog/catalog.ts'
import { AppError } from '#domain/errors.ts'
import { toProduct, withVariants } from '#server/catalog/list-products.ts'
import { searchProducts } from '#server/search/search-products.ts'
import { apiLoader, jsonReply, methodNotAllowed, readPaging } from '../../http/api.server.ts'
import { readSearch } from '../../http/search-params.server.ts'

const maxResults = 100
const defaultResults = 24

export const loader = apiLoader(async (ctx, { request, url }) => {
  const { limit } = readPaging(url, maxResults)
  const category = url.searchParams.get('category')?.trim()
  if (category && !categories.some((known) => known === category)) {
    throw new AppError('INVALID', `category must be ${categories.join(' or ')}.`)
  }
  const { products } = await searchProducts(ctx, {
    ...readSearch(url.searchParams),
    limit: limit ?? defaultResults,
    byNeed: true,
  })
  const found = products.map((card) => ({ ...toProduct(card), matchedVariantId: card.matchedVariantId }))
  return jsonReply(
    request,
    url.searchParams.get('include') === 'variants' ? await withVariants(ctx, found) : found,
  )
})

export const action = methodNotAllowed('GET')
