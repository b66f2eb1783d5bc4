import { paths } from '#domain/paths.ts'
import type { ProductCard, VariantDetail } from '#domain/catalog/catalog.ts'
import { illustrationAlt, toIllustration, illustrationUrl } from '#domain/catalog/illustration.ts'

/** The product's photo, or the selected variant's illustration with a caption that says so. */
export function ProductPicture({
  product,
  variant,
}: {
  product: ProductCard
  variant: VariantDetail | undefined
}) {
  const drawn = product.image.startsWith(`${paths.illustrations}/`)
  const shown = drawn && variant ? toIllustration(product, variant) : null
  return (
    <figure className="min-w-0">
      <div className="tile relative h-56 overflow-hidden rounded-box sm:h-72 lg:aspect-4/3 lg:h-auto">
        <img
          src={shown && variant ? illustrationUrl(variant.id, shown) : product.image}
          alt={shown ? illustrationAlt(shown) : product.imageAlt}
          width={640}
          height={480}
          fetchPriority="high"
          className="absolute inset-0 size-full object-contain p-4 sm:p-6"
        />
      </div>
      {drawn ? (
        <figcaption className="mt-2 text-sm text-muted">
          Illustration based on name, form and strength. The actual package looks different.
        </figcaption>
      ) : null}
    </figure>
  )
}
