import type { BrandCard as Brand } from '#domain/catalog/brands.ts'
import { paths } from '#domain/paths.ts'
import { Link } from '../../render/Link.tsx'
import { CategoryBadge, ControlledBadge } from '../../components/ProductBadges.tsx'

/**
 * A brand with its generic name and pack, or with a count when it has several products. Its link
 * covers the card.
 */
const BrandCard = ({ brand, eager }: { brand: Brand; eager: boolean }) => (
  <article className="card group relative flex h-full overflow-hidden transition-colors hover:border-primary/60 has-[:focus-visible]:border-primary">
    <div className="tile w-24 flex-none sm:w-28">
      <img
        src={brand.image}
        alt={brand.imageAlt}
        width={320}
        height={240}
        loading={eager ? 'eager' : 'lazy'}
        decoding="async"
        className="w-full object-contain p-1.5"
      />
    </div>
    <div className="flex min-w-0 flex-1 flex-col items-start gap-1 p-3">
      <h2 className="max-w-full leading-snug wrap-anywhere">
        <Link
          to={paths.product(brand.productId, { variant: brand.variantId })}
          prefetch="intent"
          className="outline-offset-4 after:absolute after:inset-0 group-hover:text-primary"
        >
          {brand.name}
        </Link>
      </h2>
      <p className="max-w-full text-sm wrap-anywhere text-muted">{brand.productName}</p>
      <p className="mt-auto flex flex-wrap gap-1.5 pt-2">
        <CategoryBadge category={brand.category} />
        <ControlledBadge product={brand} />
      </p>
      {brand.otherProductCount > 0 ? (
        <Link
          to={paths.productSearch({ q: brand.name })}
          className="text-link relative -mb-2 inline-flex min-h-9 items-center text-sm"
          aria-label={`${othersLabel(brand.otherProductCount)} under the brand ${brand.name}`}
        >
          {othersLabel(brand.otherProductCount)}
        </Link>
      ) : null}
    </div>
  </article>
)

const othersLabel = (others: number): string =>
  others === 1 ? '1 more medicine' : `${others} more medicines`

/** One to three columns by width. */
export const BrandGrid = ({ brands }: { brands: readonly Brand[] }) => (
  <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 lg:gap-4">
    {brands.map((brand, index) => (
      <li key={brand.key} className="min-w-0">
        <BrandCard brand={brand} eager={index < 3} />
      </li>
    ))}
  </ul>
)
