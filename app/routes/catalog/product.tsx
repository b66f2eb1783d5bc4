import { renderEquivalents } from './equivalents-card.server.tsx'
import { findOwnCountry } from '#server/accounts/find-own-country.ts'
import { screenVariant } from '#server/alerts/screen-shopping.ts'
import { getProductPage, type ProductPage } from '#server/catalog/get-product-page.ts'
import { listPrescribedVariants } from '#server/dispensing/list-prescribed-variants.ts'
import { findDelivery } from '#server/checkout/find-delivery.ts'
import { initialVariantCount } from '#domain/catalog/variant-choice.ts'
import { paths } from '#domain/paths.ts'
import { useCallback, useState } from 'react'
import { Link } from '../../render/Link.tsx'
import { BuyForm } from './BuyForm.tsx'
import { IdentifierList } from './IdentifierList.tsx'
import { NarrowVariants } from './NarrowVariants.tsx'
import { renderAlertCard } from '../../components/alert-card.server.tsx'
import { CategoryBadge, ControlledBadge } from '../../components/ProductBadges.tsx'
import { prescribedNote, renderPrescribedCard } from './prescribed-card.server.tsx'
import { renderProductFacts } from './product-facts.server.tsx'
import { ProductPicture } from './ProductPicture.tsx'
import { Price } from '../../components/Price.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { cartAction } from '../../http/cart-form.server.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { describeProduct, productStructured } from './product-structured-data.server.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { readVariantChoice } from '../../http/search-params.server.ts'
import type { Route } from './+types/product'

/** The same filters with two more screens of variants. */
function moreHref(path: string, { facets, variants }: Pick<ProductPage, 'facets' | 'variants'>): string {
  const query = new URLSearchParams({ shown: String(variants.length + 2 * initialVariantCount) })
  for (const { facet, selected: chosen } of facets) if (chosen !== null) query.set(facet, chosen)
  return `${path}?${query.toString()}`
}

export const loader = pageLoader(async ({ request, params, context }: Route.LoaderArgs) => {
  const { ctx, env } = context.get(requestContext)
  const { all, equivalents, pharmacy, ...view } = await getProductPage(
    ctx,
    params.id,
    readVariantChoice(new URL(request.url).searchParams),
  )
  const { selectedId } = view
  const alerts = await screenVariant(ctx, selectedId ?? all[0]?.id ?? null, { isChosen: selectedId !== null })
  const { delivery } = await findDelivery(ctx, {
    productIds: [view.product.id],
    country: await findOwnCountry(ctx),
  })
  const prescribedIds = await listPrescribedVariants(
    ctx,
    view.product,
    all.map(({ id }) => id),
  )
  const prescribed = all.filter(({ id }) => prescribedIds.has(id))
  const cards = [
    ...(alerts ? [renderAlertCard(alerts)] : []),
    ...(prescribed.length > 0 && prescribed.length < all.length
      ? [renderPrescribedCard({ productId: view.product.id, offers: prescribed })]
      : []),
  ]
  return {
    ...view,
    variants: view.variants.map((variant) =>
      prescribedIds.has(variant.id) ? { ...variant, note: prescribedNote } : variant,
    ),
    facts: { __html: renderProductFacts({ product: view.product, pharmacy, delivery }) },
    moreHref: moreHref(paths.product(view.product.id), view),
    // All cards above the choice: open pages of the release before know this field.
    alerts: cards.length > 0 ? { __html: cards.join('') } : null,
    equivalents: equivalents && renderEquivalents(view, equivalents),
    description: describeProduct(view.product, all),
    structured: productStructured(env.publicOrigin, view.product, all),
  }
})

export const action = (args: Route.ActionArgs) => cartAction(args)

export const meta = (args: Route.MetaArgs) => {
  const { loaderData: view } = args
  return pageMeta(args, {
    title: view.product.name,
    description: view.description,
    // A product has one canonical address, whichever variant the query names.
    canonical: paths.product(view.product.id),
    type: 'product',
    structured: () => view.structured,
  })
}

/** Up to this many variants, the list needs no filters. */
const fewVariants = 6

export default function Product({ loaderData: view, actionData: reply }: Route.ComponentProps) {
  const { product, variants, facets } = view
  // A form that failed without scripts returns with its selection.
  const posted = reply && 'values' in reply ? reply.values['variantId'] : undefined
  // The selection holds until the server sends another, through a link to a variant or a filter.
  const [choice, setChoice] = useState({ offered: view.selectedId, id: posted ?? view.selectedId })
  const offered = view.selectedId
  const choose = useCallback((id: string) => setChoice({ offered, id }), [offered])
  const selectedId = choice.offered === view.selectedId ? choice.id : view.selectedId
  const selected = variants.find((variant) => variant.id === selectedId)
  const path = paths.product(product.id)
  const { heads, headOf, foot } = view.equivalents ?? {}
  const equivalents = heads?.[selected ? (headOf?.[variants.indexOf(selected)] ?? -1) : 0]
  return (
    <div className="page pt-4">
      <nav aria-label="Breadcrumb" className="text-sm text-muted print:hidden">
        <ol className="flex flex-wrap items-center gap-x-2">
          <li>
            <Link to={paths.products} className="inline-flex min-h-9 items-center hover:underline">
              Products
            </Link>
          </li>
          <li aria-hidden="true">/</li>
          <li>
            <Link
              to={paths.productSearch({ category: product.category })}
              className="inline-flex min-h-9 items-center hover:underline"
            >
              {product.category === 'Rx' ? 'Prescription' : 'Over the counter'}
            </Link>
          </li>
          <li aria-hidden="true">/</li>
          <li aria-current="page" className="min-w-0 truncate">
            {product.name}
          </li>
        </ol>
      </nav>
      {/* Name and price come first, on phones too. The picture is next to or below them. */}
      <div className="mt-2 grid items-start gap-x-10 gap-y-5 lg:grid-cols-[5fr_7fr] lg:grid-rows-[auto_auto_1fr]">
        <div className="min-w-0 lg:col-start-2">
          <h1 className="text-xl sm:text-2xl">{product.name}</h1>
          {product.priceMin && (
            <p className="mt-1 text-lg font-semibold">
              <Price min={product.priceMin} max={product.priceMax} />
            </p>
          )}
          <p className="mt-3 flex flex-wrap gap-2">
            <CategoryBadge category={product.category} long />
            <ControlledBadge product={product} />
          </p>
        </div>
        <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <ProductPicture product={product} variant={selected} />
        </div>
        <div className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-2">
          {product.description && <p className="max-w-prose text-muted">{product.description}</p>}
          <div className="mt-6 space-y-6 first:mt-0">
            {view.alerts && <div className="space-y-6" dangerouslySetInnerHTML={view.alerts} />}
            {view.total > fewVariants && <NarrowVariants facets={facets} path={path} />}
            {variants.length > 0 ? (
              <BuyForm
                product={product}
                variants={variants}
                openChoice={view.openChoice}
                unlisted={view.unlisted}
                moreHref={view.moreHref}
                savings={view.savings}
                selected={selected}
                onSelect={choose}
                reply={reply}
              />
            ) : (
              <EmptyState
                title="This medication is currently unavailable."
                actions={<LinkButton to={paths.products}>Browse Medications</LinkButton>}
              />
            )}
            {equivalents ? (
              <section
                aria-labelledby="equivalents"
                className="card p-5"
                dangerouslySetInnerHTML={{ __html: `${equivalents}${foot}` }}
              />
            ) : null}
          </div>
          <ul className="mt-5 divide-y divide-line" dangerouslySetInnerHTML={view.facts} />
        </div>
        {selected && (
          <section aria-labelledby="details" className="min-w-0 lg:col-start-1 lg:row-start-3">
            <h2 id="details" className="text-lg">
              Details
            </h2>
            <div className="mt-2">
              <IdentifierList variant={selected} />
            </div>
          </section>
        )}
      </div>
    </div>
  )
}
