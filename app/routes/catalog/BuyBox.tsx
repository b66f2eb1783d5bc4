import { maxQuantity } from '#domain/cart/cart.ts'
import type { Product, VariantDetail } from '#domain/catalog/catalog.ts'
import type { OpenChoice, Saving } from '#domain/catalog/variant-choice.ts'
import { paths } from '#domain/paths.ts'
import { Link } from '../../render/Link.tsx'
import { Field } from '../../ui/Field.tsx'
import { Price } from '../../components/Price.tsx'
import { SavingsNote } from './SavingsNote.tsx'
import { VariantLine } from '../../components/VariantFacts.tsx'
import { stockLabel, unitPriceLabel } from './offer-facts.ts'

type BuyBoxProps = {
  product: Pick<Product, 'id' | 'controlledSchedule'>
  variant: VariantDetail | undefined
  openChoice: OpenChoice
  saving: Saving | undefined
  quantity: string
  quantityError: string | undefined
  disabled: boolean
  /** Whether the item was just added to the cart on this page. */
  added: boolean
}

/**
 * The selected variant's price, the quantity and the button, inside the form that posts them. They
 * stay in view while the options scroll.
 */
export function BuyBox({
  product,
  variant,
  openChoice,
  saving,
  quantity,
  quantityError,
  disabled,
  added,
}: BuyBoxProps) {
  const unitPrice = variant && unitPriceLabel(variant)
  return (
    <>
      <div className="buy-bar card mt-5 bg-base-200 p-4 sm:p-5">
        {variant ? (
          <>
            <p className="text-sm text-muted">
              <VariantLine variant={variant} />
            </p>
            <div className="mt-1 flex flex-wrap items-baseline gap-x-3">
              <p className="text-lg font-semibold">
                <Price min={variant.price} />
              </p>
              {unitPrice ? <p className="text-muted tabular-nums">{unitPrice}</p> : null}
              <p className={`ms-auto font-semibold ${variant.inStock ? 'text-success' : 'text-error'}`}>
                {stockLabel(variant)}
              </p>
            </div>
          </>
        ) : (
          <p className="font-medium">{`Choose your ${openChoice ?? 'pack'} to see its price.`}</p>
        )}
        {product.controlledSchedule ? (
          <p className="mt-3 font-medium">
            Not available online. This is a controlled medication ({product.controlledSchedule}), shown for
            information only.
          </p>
        ) : (
          <div className="mt-3 flex flex-wrap items-start gap-3 print:hidden">
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
            <button className="btn btn-primary mt-[1.85rem] flex-1" disabled={disabled}>
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
      {saving ? (
        <div className="mt-3">
          <SavingsNote saving={saving} path={paths.product(product.id)} />
        </div>
      ) : null}
    </>
  )
}
