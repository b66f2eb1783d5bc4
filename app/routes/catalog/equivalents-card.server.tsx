import { brandLabel, packLabel, type VariantDetail } from '#domain/catalog/catalog.ts'
import { dollars } from '#domain/money.ts'
import { paths } from '#domain/paths.ts'
import type { EquivalentOffers } from '#domain/screening/equivalent-offers.ts'
import type { ProductPage } from '#server/catalog/get-product-page.ts'
import { listDateText } from '#domain/alerts/alert-text.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { unitPriceLabel } from './offer-facts.ts'

const maxOffers = 6

type Equivalents = NonNullable<ProductPage['equivalents']>

/** The card as HTML. It follows the choice of a variant: a head for each group, and one foot. */
export type EquivalentsCard = {
  heads: readonly string[]
  foot: string
  /** For each variant of the page, the place of its head; -1 for none. */
  headOf: readonly number[]
}

/**
 * The card of what FDA rates as equivalent, written by the server like the card of alerts. It is
 * the same for every visitor, so the page stays cacheable.
 */
export const renderEquivalents = (
  { product, variants }: { product: Pick<ProductPage['product'], 'id'>; variants: ProductPage['variants'] },
  { groups, listDate }: Equivalents,
): EquivalentsCard => ({
  heads: groups.map((group) => renderToStaticMarkup(<Head productId={product.id} group={group} />)),
  foot: renderToStaticMarkup(<Foot productId={product.id} groups={groups} listDate={listDate} />),
  headOf: variants.map(({ id }) => groups.findIndex(({ ids }) => ids.includes(id))),
})

type GroupProps = { productId: string; group: EquivalentOffers }

const Head = ({ productId, group }: GroupProps) => (
  <>
    <h2 id="equivalents" className="text-lg">
      FDA rates these as equivalent
    </h2>
    <Group productId={productId} group={group} />
    {group.offers.length > 1 ? (
      <details>
        <summary className="flex min-h-11 items-center text-link">{showLabel(group.offers.length)}</summary>
        <ul className="space-y-1">
          {group.offers.slice(0, maxOffers).map((variant) => (
            <li key={variant.id}>
              <Offer productId={productId} variant={variant} />
            </li>
          ))}
        </ul>
      </details>
    ) : null}
  </>
)

/**
 * Lists the groups with a choice: where one product is in stock, there is nothing to compare. A
 * single one is listed beside others without a choice, because the head may be one of those.
 */
const Foot = ({ productId, groups, listDate }: Equivalents & { productId: string }) => {
  const choices = groups.filter(({ isChoice }) => isChoice)
  return (
    <>
      {choices.length > 0 && groups.length > 1 ? (
        <details>
          <summary className="flex min-h-11 items-center text-link">
            {choices.length === 1
              ? 'Show the strength and form with more than one choice'
              : `Show all strengths and forms: ${choices.length}`}
          </summary>
          <ul className="divide-y divide-line">
            {choices.map((group) => (
              <li key={group.offers[0]?.id} className="py-3">
                <Group productId={productId} group={group} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      <p className="mt-3 text-sm text-muted">
        From FDA’s list{listDate === null ? '' : ` of ${listDateText(listDate)}`}. The list is incomplete, so
        other products may be equivalent too. Ask a pharmacist before you switch.{' '}
        <a href={paths.howWeCheck} className="text-link">
          How we check
        </a>
      </p>
    </>
  )
}

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
          Saves {saving.percent}% compared with {nameOf(saving.against)} ({dollars(saving.perPack)} less for{' '}
          {packLabel(saving.against)})
        </p>
      ) : null}
    </>
  )
}

/** The page's list of options has the others. */
const showLabel = (count: number): string =>
  count > maxOffers ? `Show the cheapest ${maxOffers} of ${count} in stock` : `Show ${count} in stock`

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
