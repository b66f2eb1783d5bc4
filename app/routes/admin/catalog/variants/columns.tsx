import { brandLabel, packLabel, strengthLabel } from '#domain/catalog/catalog.ts'

import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { paths } from '#domain/paths.ts'
import { Pencil, RotateCcwClock } from '../../../../ui/admin-icons.tsx'
import { IconButton } from '../../../../ui/Button.tsx'
import { RowActions } from '../../../../ui/data-grid/RowActions.tsx'
import { Amount } from '../../../../ui/data-grid/Amount.tsx'
import { Clamped } from '../../../../ui/data-grid/Clamped.tsx'
import type { GridColumn } from '../../../../ui/data-grid/grid-types.ts'
import { Link } from '../../../../render/Link.tsx'
import { money } from '../../frame/money.ts'
import { StockBadge } from '../../frame/StockBadge.tsx'
import { Margin } from '../products/Margin.tsx'
import type { EditedVariant } from './EditVariant.tsx'
import { variantName } from './variant-name.ts'
import { PriceCell } from './PriceCell.tsx'

const dash = <span className="text-muted">–</span>
const textOrDash = (text: string | null) => (text ? <Clamped text={text} /> : dash)

type RowActions = {
  onEdit: (edited: EditedVariant) => void
  onShowHistory: (row: VariantRow) => void
}

export const variantColumns = ({ onEdit, onShowHistory }: RowActions): GridColumn<VariantRow>[] => [
  {
    id: 'product',
    header: 'Product',
    size: 109,
    sort: 'product',
    cell: ({ productId, id, productName, controlledSchedule }) => (
      <>
        <Link
          to={paths.product(productId, { variant: id })}
          className="me-0.5 inline-flex min-h-6 items-center font-semibold hover:underline"
        >
          <Clamped text={productName} lines={controlledSchedule ? 1 : 2} />
        </Link>
        {controlledSchedule ? <span className="-mt-1 block text-muted">{controlledSchedule}</span> : null}
      </>
    ),
  },
  {
    id: 'brand',
    header: 'Brand/Generic',
    size: 89,
    cell: (row) => (
      <Clamped text={row.brandName ?? brandLabel(row)} className={row.brandName ? '' : 'text-muted'} />
    ),
  },
  {
    id: 'manufacturer',
    header: 'Manufacturer',
    size: 78,
    cell: ({ manufacturerName }) => textOrDash(manufacturerName),
  },
  { id: 'form', header: 'Form', size: 78, cell: ({ dosageForm }) => textOrDash(dosageForm) },
  { id: 'strength', header: 'Strength', size: 79, cell: (row) => textOrDash(strengthLabel(row)) },
  { id: 'package', header: 'Package', size: 88, cell: (row) => <Clamped text={packLabel(row)} /> },
  {
    id: 'price',
    header: 'Price',
    size: 79,
    phoneWidth: 'max-md:w-20',
    align: 'end',
    sort: 'price',
    cell: (row) => <PriceCell row={row} onStale={onEdit} />,
  },
  {
    id: 'cost',
    header: 'Acq. Cost',
    size: 70,
    phoneWidth: 'max-md:w-20',
    align: 'end',
    cell: ({ acquisitionCost }) =>
      acquisitionCost === null ? dash : <Amount text={money(acquisitionCost)} />,
  },
  { id: 'margin', header: 'Margin', size: 60, align: 'end', sort: 'margin', cell: Margin },
  {
    id: 'stock',
    header: 'Stock Qty',
    size: 54,
    align: 'end',
    sort: 'stock',
    cell: ({ stockQuantity }) => <StockBadge quantity={stockQuantity} />,
  },
  {
    id: 'linked',
    header: 'Linked Variant',
    size: 55,
    cell: ({ linkedVariant }) => textOrDash(linkedVariant),
  },
  { id: 'identifiers', header: 'Identifiers', size: 117, cell: Identifiers },
  {
    id: 'actions',
    header: 'Actions',
    size: 78,
    cell: (row) => (
      <RowActions name={variantName(row)}>
        <IconButton
          label={`Edit ${variantName(row)}`}
          type="button"
          title="Edit"
          onClick={() => onEdit({ row })}
        >
          <Pencil />
        </IconButton>
        <IconButton
          label={`History of ${variantName(row)}`}
          type="button"
          title="History"
          onClick={() => onShowHistory(row)}
        >
          <RotateCcwClock />
        </IconButton>
      </RowActions>
    ),
  },
]

function Identifiers({ sku, upc, ndc, din }: VariantRow) {
  const identifiers = Object.entries({ SKU: sku, UPC: upc, NDC: ndc, DIN: din }).filter(([, code]) => code)
  if (identifiers.length === 0) return dash
  return (
    <ul className="text-[0.6875rem] leading-4">
      {identifiers.map(([kind, code]) => (
        <li key={kind} className="truncate tabular-nums" title={`${kind} ${code}`}>
          {kind} {code}
        </li>
      ))}
    </ul>
  )
}
