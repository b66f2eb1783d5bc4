import { maxQuantity } from '#domain/cart/cart.ts'
import { canBuy, type Product, type VariantDetail } from '#domain/catalog/catalog.ts'
import type { Saving } from '#domain/catalog/variant-choice.ts'
import { paths } from '#domain/paths.ts'
import { Link } from '../../render/Link.tsx'
import { Field } from '../../ui/Field.tsx'
import { Price } from '../../components/Price.tsx'
import { SavingsNote } from './SavingsNote.tsx'
import { stockLabel, unitPriceLabel, VariantLine } from '../../components/VariantFacts.tsx'

type BuyBoxProps = {
  product: Pick<Product, 'id' | 'controlledSchedule'>
  variant: VariantDetail
  saving: Saving | undefined
  quantity: string
  quantityError: string | undefined
  busy: boolean
  /** Whether the item was just added to the cart on this page. */
  added: boolean
}

/** The selected variant's price, the quantity and the button, inside the form that posts them. */
export function BuyBox({ product, variant, saving, quantity, quantityError, busy, added }: BuyBoxProps) {
  const buyable = canBuy(product, variant)
  const unitPrice = unitPriceLabel(variant)
  return (
    <div className="card mt-5 bg-base-200 p-4 sm:p-5">
      <p className="text-sm text-muted">
        <VariantLine variant={variant} />
      </p>
      <div className="mt-1 flex flex-wrap items-baseline gap-x-3">
        <p className={variant.price === null ? 'text-lg font-semibold' : 'text-2xl font-bold'}>
          <Price min={variant.price} />
        </p>
        {unitPrice ? <p className="text-muted tabular-nums">{unitPrice}</p> : null}
        <p className={`ms-auto font-semibold ${variant.inStock ? 'text-success' : 'text-error'}`}>
          {stockLabel(variant)}
        </p>
      </div>
      {saving ? (
        <div className="mt-3">
          <SavingsNote saving={saving} path={paths.product(product.id)} />
        </div>
      ) : null}
      {product.controlledSchedule ? (
        <p className="mt-3 font-medium">
          Not available online. This is a controlled medication ({product.controlledSchedule}), shown for
          information only.
        </p>
      ) : (
        <div className="mt-4 flex items-start gap-3 print:hidden">
          <Field
            label="Quantity"
            id="quantity"
            name="quantity"
            type="number"
            inputMode="numeric"
            min={1}
            max={maxQuantity}
            required
            defaultValue={quantity}
            error={quantityError}
            className="w-28 flex-none"
          />
          <button className="btn btn-primary mt-[1.85rem] flex-1" disabled={!buyable || busy}>
            Add to Cart
          </button>
        </div>
      )}
      <p role="status" className={added ? 'mt-3 font-medium text-success' : 'sr-only'}>
        {added ? (
          <>
            Added to cart.{' '}
            <Link to={paths.cart} className="text-link">
              View cart
            </Link>
          </>
        ) : null}
      </p>
    </div>
  )
}
