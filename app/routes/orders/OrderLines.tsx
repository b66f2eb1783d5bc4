import { strengthLabel } from '#domain/catalog/catalog.ts'
import { formLabel } from '#domain/catalog/form-label.ts'
import type { OrderLineState } from '#domain/dispensing/order-line-state.ts'
import { decimalFromCents, dollars, parseCents } from '#domain/money.ts'
import { paths } from '#domain/paths.ts'
import type { ReactNode } from 'react'
import { Link } from '../../render/Link.tsx'
import { Pack } from '../../components/VariantFacts.tsx'
import type { OrderLineView } from '../../components/orders/order-labels.ts'

/** Names of the people that lines are for, by the line's id. */
export type LinePeople = Readonly<Record<string, string>>

type OrderLinesProps = {
  lines: readonly OrderLineView[]
  /** Whom lines are for, by id; absent for the customer. */
  people: LinePeople
  /** The variants that still have a product page to link to. */
  offered?: readonly string[]
  /** How each prescription line stands, by id. */
  states?: Readonly<Record<string, OrderLineState>>
  /** How many units of each line were or are being refunded, by id. */
  refunded?: Readonly<Record<string, number>>
}

/** The items of an order, as they were sold. */
export const OrderLines = ({ lines, people, offered = [], states = {}, refunded = {} }: OrderLinesProps) => (
  <ul className="divide-y divide-line">
    {lines.map((line) => (
      <li key={line.id} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3">
        <div className="min-w-0 flex-[1_1_14rem]">
          <p className="font-semibold wrap-anywhere">
            <LineName line={line} isOffered={offered.includes(line.productVariantId)} />
          </p>
          <p className="text-sm text-muted">
            <LineFacts variant={line.variant} />
          </p>
          <LinePerson name={people[line.id]} />
          <LineState state={states[line.id]} />
        </div>
        <p className="flex flex-1 flex-wrap items-baseline justify-between gap-x-6 tabular-nums sm:flex-none sm:justify-end">
          <span className="text-sm text-muted">
            Quantity: {line.quantity}
            {refunded[line.id] ? `, ${refunded[line.id]} refunded` : ''} · {dollars(line.price)} per item
          </span>
          <span className="min-w-18 text-end font-semibold">{dollars(lineTotal(line))}</span>
        </p>
      </li>
    ))}
  </ul>
)

/** Whom a line is for, when that is not the customer. */
export const LinePerson = ({ name }: { name: string | undefined }) =>
  name ? <p className="text-sm font-medium wrap-anywhere">For {name}</p> : null

const stateColors = {
  waiting: 'text-warning',
  asked: 'text-warning',
  cleared: 'text-success',
  dispensed: 'text-success',
  refused: 'text-error',
} as const satisfies Record<OrderLineState['status'], string>

/** What a pharmacist decided, and what is next. */
const LineState = ({ state }: { state: OrderLineState | undefined }) =>
  state ? (
    <p className="mt-1 text-sm print:hidden">
      <b className={`font-medium ${stateColors[state.status]}`}>{state.message}.</b> {state.next}
    </p>
  ) : null

const lineTotal = ({ price, quantity }: OrderLineView): string =>
  decimalFromCents((parseCents(price) ?? 0) * quantity)

/** "Ibuprofen (Advil)": the brand in parentheses, if any (specification, section 2). */
export function LineName({
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

/** "500 mg, tablet, extended release, 30 tablets". */
export function LineFacts({ variant }: { variant: OrderLineView['variant'] }): ReactNode {
  return (
    <>
      {[strengthLabel(variant), formLabel(variant)].filter(Boolean).map((fact) => `${fact}, `)}
      <Pack variant={variant} />
    </>
  )
}
