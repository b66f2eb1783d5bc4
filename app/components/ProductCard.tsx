import { paths } from '#domain/paths.ts'
import { memo } from 'react'
import type { ProductCard as Card } from '#domain/catalog/catalog.ts'
import { contentOf, ownContent } from '../render/fragments.tsx'
import { Link } from '../render/Link.tsx'
import { Price } from './Price.tsx'
import { CategoryBadge, ControlledBadge } from './ProductBadges.tsx'

type ProductCardProps = {
  product: Card
  /** One below the heading above the grid. */
  level: 2 | 3
  /** Above the fold: its picture loads at once. */
  eager?: boolean
}

const hrefOf = (product: Card): string => paths.product(product.id, { variant: product.matchedVariantId })

/** A product in a grid. Its link covers the card. On a narrow phone, the picture is on the left. */
export function ProductCard({ product, level, eager = false }: ProductCardProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <article className="card group relative flex h-full overflow-hidden transition-colors hover:border-primary/60 has-[:focus-visible]:border-primary max-[480px]:flex-wrap min-[480px]:flex-col">
      <div className="tile relative flex-[1_0_6.75rem] min-[480px]:flex-none min-[480px]:aspect-4/3 min-[480px]:w-full">
        <img
          src={product.image}
          alt={product.imageAlt}
          width={320}
          height={240}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          className={`size-full object-contain p-0.5 min-[480px]:p-4 ${product.inStock ? '' : 'opacity-50'}`}
        />
        {product.inStock ? null : (
          <p className="absolute inset-x-0 bottom-0 bg-neutral px-2 py-1 text-center text-sm font-semibold text-neutral-content">
            Out of Stock
          </p>
        )}
      </div>
      <div className="flex min-w-0 flex-[99999_1_9rem] flex-col gap-2 p-3 min-[480px]:flex-1 min-[480px]:p-4">
        <Heading className="leading-snug wrap-anywhere">
          <Link
            to={hrefOf(product)}
            prefetch="intent"
            className="outline-offset-4 after:absolute after:inset-0 group-hover:text-primary"
          >
            {product.name}
          </Link>
        </Heading>
        <p className="text-sm text-muted">
          {product.matchedIdentifier && (
            <b className="block font-mono text-base-content">{product.matchedIdentifier}</b>
          )}
          {[
            product.route,
            product.forms.slice(0, 3).join(', '),
            product.markets,
            product.unitPrice ?? optionsLabel(product.variantCount),
          ]
            .filter(Boolean)
            // A line never starts with a dot.
            .join('\u00a0· ')}
        </p>
        <div className="mt-auto flex flex-wrap items-center justify-between gap-x-2 gap-y-2 pt-1">
          <p className="font-semibold">
            <Price min={product.priceMin} max={product.priceMax} />
          </p>
          <p className="flex flex-wrap gap-1.5">
            <CategoryBadge category={product.category} />
            <ControlledBadge product={product} />
          </p>
        </div>
      </div>
    </article>
  )
}

/** With a non-breaking space. */
const optionsLabel = (count: number): string => (count === 1 ? '1\u00a0option' : `${count}\u00a0options`)

type ProductGridProps = {
  products: readonly Card[]
  level: 2 | 3
  /** How many cards are above the fold; their pictures load at once. */
  inView?: number
}

/** One to four columns by width. */
export const ProductGrid = memo(function ProductGrid({ products, level, inView = 0 }: ProductGridProps) {
  return (
    <ul className="grid gap-3 min-[480px]:grid-cols-2 min-[480px]:gap-4 md:grid-cols-3 lg:gap-5 xl:grid-cols-4">
      {products.map((product, index) => {
        const eager = index < inView
        const content = eager ? ownContent : contentOf
        return <li key={product.id} {...content(ProductCard, { product, level, eager })} />
      })}
    </ul>
  )
})
