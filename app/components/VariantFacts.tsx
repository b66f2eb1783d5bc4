import { brandLabel, packLabel, packUnit, strengthLabel, type Variant } from '#domain/catalog/catalog.ts'

/** "30 tablets". A unit that contains a size follows a visual ×: "1 × 28.4 g tube". */
export const Pack = ({ variant }: { variant: Pick<Variant, 'packageSize' | 'packageUnit'> }) =>
  /^\d/.test(variant.packageUnit) ? (
    <>
      {variant.packageSize} <span aria-hidden="true">× </span>
      {packUnit(variant)}
    </>
  ) : (
    packLabel(variant)
  )

/** "Generic, 500 mg, 30 tablets, extended release": a variant in one line. */
export const VariantLine = ({
  variant,
}: {
  variant: Pick<
    Variant,
    'brandName' | 'formDetail' | 'strength' | 'strengthUnit' | 'packageSize' | 'packageUnit'
  >
}) => (
  <>
    {[brandLabel(variant), strengthLabel(variant)].filter(Boolean).join(', ')}, <Pack variant={variant} />
    {variant.formDetail && `, ${variant.formDetail}`}
  </>
)
