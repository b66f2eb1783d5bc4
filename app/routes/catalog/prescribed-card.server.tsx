import type { VariantDetail } from '#domain/catalog/catalog.ts'
import { paths } from '#domain/paths.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { VariantLine } from '../../components/VariantFacts.tsx'

const maxOffers = 6

/** The note in the row of an offer that matches a prescription. */
export const prescribedNote = 'Matches a prescription on file'

type PrescribedCardProps = { productId: string; offers: readonly VariantDetail[] }

/**
 * Lists the offers that match a customer's prescription, on a product with others that don't. The
 * server renders it, like the card of alerts, because it has no behavior.
 */
export const renderPrescribedCard = (props: PrescribedCardProps): string =>
  renderToStaticMarkup(<PrescribedCard {...props} />)

const inStockFirst = (offers: readonly VariantDetail[]): VariantDetail[] =>
  offers.toSorted((a, b) => Number(b.inStock) - Number(a.inStock))

const PrescribedCard = ({ productId, offers }: PrescribedCardProps) => (
  <section aria-labelledby="prescribed" className="card p-5">
    <h2 id="prescribed" className="text-lg">
      Prescriptions on file
    </h2>
    <p className="mt-1">
      These options match a prescription for you or someone you care for. Other options may not be covered.
    </p>
    <ul className="mt-1 grid gap-2">
      {inStockFirst(offers)
        .slice(0, maxOffers)
        .map((variant) => (
          <li key={variant.id}>
            <a
              href={paths.product(productId, { variant: variant.id })}
              className="text-link inline-flex min-h-11 items-center"
            >
              <span>
                <VariantLine variant={variant} />
                {variant.manufacturerName ? ` · ${variant.manufacturerName}` : null}
                {variant.inStock ? null : ' (out of stock)'}
              </span>
            </a>
          </li>
        ))}
    </ul>
    {offers.length > maxOffers ? (
      <p className="mt-2 text-sm text-muted">
        {offers.length - maxOffers} more match. They’re marked in the list.
      </p>
    ) : null}
  </section>
)
