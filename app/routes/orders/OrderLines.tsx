import { strengthLabel } from '#domain/catalog/catalog.ts'
import { decimalFromCents, dollars, parseCents } from '#domain/money.ts'
import { paths } from '#domain/paths.ts'
import type { ReactNode } from 'react'
import { Link } from '../../render/Link.tsx'
import { Pack } from '../../components/VariantFacts.tsx'
import type { OrderLineView } from '../../components/orders/order-labels.ts'

type OrderLinesProps = {
  lines: readonly OrderLineView[]
  /** The variants that still have a product page to link to. */
  offered?: readonly string[]
}

/** The items of an order, as they were sold. */
export const OrderLines = ({ lines, offered = [] }: OrderLinesProps) => (
  <ul className="divide-y divide-line">
    {lines.map((line) => (
      <li key={line.id} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3">
        <div className="min-w-0 flex-[1_1_14rem]">
          <p className="font-semibold wrap-anywhere">
            <LineName line={line} isOffered={offered.includes(line.productVariantId)} />
          </p>
          <p className="text-sm text-muted">
            <Facts variant={line.variant} />
          </p>
        </div>
        <p className="flex flex-1 items-baseline justify-between gap-x-6 tabular-nums sm:flex-none sm:justify-end">
          <span className="text-sm text-muted">
            Quantity: {line.quantity} · {dollars(line.price)} per item
          </span>
          <span className="min-w-18 text-end font-semibold">{dollars(lineTotal(line))}</span>
        </p>
      </li>
    ))}
  </ul>
)

const lineTotal = ({ price, quantity }: OrderLineView): string =>
  decimalFromCents((parseCents(price) ?? 0) * quantity)

/** "Ibuprofen (Advil)": the brand in parentheses, if any (specification, section 2). */
function LineName({
  line: { product, variant, productVariantId },
  isOffered,
}: {
  line: OrderLineView
  isOffered: boolean
}) {
  const name = variant.brandName ? `${product.name} (${variant.brandName})` : product.name
  if (!isOffered) return name
  return (
    <Link
      to={paths.product(product.id, { variant: productVariantId })}
      className="text-link print:no-underline"
    >
      {name}
    </Link>
  )
}

function Facts({ variant }: { variant: OrderLineView['variant'] }): ReactNode {
  const strength = strengthLabel(variant)
  return (
    <>
      {[strength, variant.dosageForm].filter(Boolean).join(', ')}
      {strength || variant.dosageForm ? ', ' : null}
      <Pack variant={variant} />
    </>
  )
}
