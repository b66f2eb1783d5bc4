import { listProductSitemaps } from '#server/catalog/list-for-sitemap.ts'
import { apiLoader, methodNotAllowed, streamText } from '../../http/api.server.ts'
import { sitemapIndex } from './sitemap-xml.server.ts'

/** `/sitemap.xml`: the list of sitemaps. */
export const loader = apiLoader(async (ctx, { request, env }) => {
  const products = await listProductSitemaps(ctx)
  const entries = [
    { url: `${env.publicOrigin}/sitemaps/pages.xml` },
    ...products.map(({ updatedAt }, index) => ({
      url: `${env.publicOrigin}/sitemaps/products-${index + 1}.xml`,
      updatedAt,
    })),
  ]
  return streamText(
    request,
    { type: 'application/xml', fingerprint: JSON.stringify(entries) },
    sitemapIndex(entries),
  )
})

export const action = methodNotAllowed('GET')
