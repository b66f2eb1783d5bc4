import { brandLabel, packLabel, type VariantDetail } from '#domain/catalog/catalog.ts'
import { dollars } from '#domain/money.ts'
import { paths } from '#domain/paths.ts'
import type { EquivalentOffers } from '#domain/screening/equivalent-offers.ts'
import type { ProductPage } from '#server/catalog/get-product-page.ts'
import { listDateText } from '#domain/alerts/alert-text.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { unitPriceLabel } from '../../components/VariantFacts.tsx'

/** The list of options has the rest. */
const maxOffers = 6
const maxGroups = 12

/**
 * The card of what FDA rates as equivalent, as HTML: null without any. It is the same for every
 * visitor, so the page stays cacheable.
 */
export const renderEquivalents = (productId: string, view: ProductPage['equivalents']): string | null =>
  view ? renderToStaticMarkup(<EquivalentsCard productId={productId} {...view} />) : null

type GroupProps = { productId: string; group: EquivalentOffers }
type CardProps = NonNullable<ProductPage['equivalents']> & { productId: string }

const EquivalentsCard = ({ productId, groups: [first, ...rest], listDate }: CardProps) =>
  first ? (
    <section aria-labelledby="equivalents" className="card p-5">
      <h2 id="equivalents" className="text-lg">
        FDA rates these as equivalent
      </h2>
      <Group productId={productId} group={first} />
      {first.offers.length > 1 ? (
        <details>
          <summary className="flex min-h-11 items-center font-semibold">
            {first.offers.length} in stock
          </summary>
          <ul className="space-y-1">
            {first.offers.slice(0, maxOffers).map((variant) => (
              <li key={variant.id}>
                <Offer productId={productId} variant={variant} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {rest.length > 0 ? (
        <details>
          <summary className="flex min-h-11 items-center font-semibold">
            Other strengths and forms: {rest.length}
          </summary>
          <ul className="divide-y divide-line">
            {rest.slice(0, maxGroups).map((group) => (
              <li key={group.offers[0]?.id} className="py-3">
                <Group productId={productId} group={group} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      <p className="mt-3 text-sm text-muted">
        By FDA’s list{listDate === null ? '' : ` of ${listDateText(listDate)}`}, which is incomplete: a
        product that isn’t named here isn’t rated as different. Ask a pharmacist before you change.{' '}
        <a href={paths.howWeCheck} className="text-link">
          How we check
        </a>
      </p>
    </section>
  ) : null

const Group = ({ productId, group: { code, name, offers, saving } }: GroupProps) => {
  const [cheapest] = offers
  if (!cheapest) return null
  return (
    <>
      <p className="mt-1">
        {name}, rated {code}. Cheapest per {cheapest.packageUnit || 'unit'}:{' '}
        <Offer productId={productId} variant={cheapest} />
      </p>
      {saving ? (
        <p className="font-semibold text-success">
          Saves {saving.percent}% against {nameOf(saving.against)}: {dollars(saving.perPack)} on that pack
        </p>
      ) : null}
    </>
  )
}

const nameOf = (variant: VariantDetail): string =>
  [brandLabel(variant), variant.manufacturerName, packLabel(variant)].filter(Boolean).join(', ')

const Offer = ({ productId, variant }: { productId: string; variant: VariantDetail }) => (
  <span className="wrap-anywhere">
    <a href={paths.product(productId, { variant: variant.id })} className="text-link">
      {nameOf(variant)}
    </a>
    , {unitPriceLabel(variant) ?? (variant.price === null ? '' : dollars(variant.price))}
  </span>
)
