import { paths } from '#domain/paths.ts'
import { AppError } from '#domain/errors.ts'
import { listProductSitemaps, streamSitemapProducts } from '#server/catalog/list-for-sitemap.ts'
import type { Context } from '#server/context.ts'
import { apiLoader, methodNotAllowed, streamText } from '../../http/api.server.ts'
import { publicPages } from './public-pages.ts'
import { sitemap } from './sitemap-xml.server.ts'

const type = 'application/xml'

/** `/sitemaps/pages.xml` and `/sitemaps/products-{n}.xml`. Throws NOT_FOUND. */
export const loader = apiLoader(async (ctx, { request, params, env }) => {
  const origin = env.publicOrigin
  if (params.file === 'pages.xml') {
    const entries = publicPages.map((path) => ({ url: origin + path }))
    return streamText(request, { type, fingerprint: origin }, sitemap(entries))
  }
  const number = Number(/^products-([1-9]\d{0,5})\.xml$/.exec(params.file ?? '')?.[1])
  const run = Number.isNaN(number) ? undefined : (await listProductSitemaps(ctx)).at(number - 1)
  if (!run) throw new AppError('NOT_FOUND', 'Sitemap not found')
  return streamText(
    request,
    { type, fingerprint: JSON.stringify([origin, run]) },
    sitemap(productEntries(ctx, run, origin)),
  )
})

async function* productEntries(
  ctx: Context,
  run: Parameters<typeof streamSitemapProducts>[1],
  origin: string,
): AsyncGenerator<{ url: string; updatedAt: Date }> {
  for await (const { id, updatedAt } of streamSitemapProducts(ctx, run))
    yield { url: origin + paths.product(id), updatedAt }
}

export const action = methodNotAllowed('GET')
