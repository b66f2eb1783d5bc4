import { brandLabel, packLabel, strengthLabel, variantLabel } from '#domain/catalog.ts'
import { dollars } from '#domain/money.ts'
import type { VariantRow } from '#domain/variant-grid.ts'
import { Badge } from '../../../ui/Badge.tsx'
import type { GridColumn } from '../../../ui/data-grid/grid-types.ts'
import { Link } from '../../../ui/Link.tsx'
import { Margin } from '../products/Margin.tsx'

/** "Ibuprofen, Advil, 200 mg, 24 tablet". */
export const nameOfVariant = (row: VariantRow): string => `${row.productName}, ${variantLabel(row)}`

const nothing = <span className="text-muted">–</span>

export const variantColumns: GridColumn<VariantRow>[] = [
  {
    id: 'product',
    header: 'Product',
    sort: 'product',
    width: 'min-w-48',
    cell: ({ productId, id, productName, controlledSchedule }) => (
      <>
        <Link to={`/products/${productId}?variant=${id}`} className="font-semibold hover:underline">
          {productName}
        </Link>
        {controlledSchedule ? <span className="block text-muted">{controlledSchedule}</span> : null}
      </>
    ),
  },
  {
    id: 'brand',
    header: 'Brand/Generic',
    width: 'min-w-32',
    cell: (row) => (row.brandName ? row.brandName : <span className="text-muted">{brandLabel(row)}</span>),
  },
  {
    id: 'manufacturer',
    header: 'Manufacturer',
    width: 'min-w-36',
    cell: ({ manufacturerName }) => manufacturerName ?? nothing,
  },
  { id: 'form', header: 'Form', cell: ({ dosageForm }) => dosageForm ?? nothing },
  { id: 'strength', header: 'Strength', width: 'min-w-24', cell: (row) => strengthLabel(row) || nothing },
  { id: 'package', header: 'Package', width: 'min-w-24', cell: packLabel },
  {
    id: 'price',
    header: 'Price',
    align: 'end',
    sort: 'price',
    cell: ({ price }) => (price === null ? nothing : dollars(price)),
  },
  {
    id: 'cost',
    header: 'Acq. Cost',
    align: 'end',
    cell: ({ acquisitionCost }) => (acquisitionCost === null ? nothing : dollars(acquisitionCost)),
  },
  { id: 'margin', header: 'Margin', align: 'end', sort: 'margin', cell: Margin },
  {
    id: 'stock',
    header: 'Stock Qty',
    align: 'end',
    sort: 'stock',
    cell: ({ stockQuantity }) => (
      <Badge tone={stockQuantity > 0 ? 'neutral' : 'error'}>{stockQuantity.toLocaleString('en-US')}</Badge>
    ),
  },
  {
    id: 'linked',
    header: 'Linked Variant',
    width: 'min-w-40',
    cell: ({ linkedVariant }) => linkedVariant ?? nothing,
  },
  { id: 'identifiers', header: 'Identifiers', width: 'min-w-44', cell: Identifiers },
]

function Identifiers({ sku, upc, ndc, din }: VariantRow) {
  const written = Object.entries({ SKU: sku, UPC: upc, NDC: ndc, DIN: din }).filter(([, code]) => code)
  if (written.length === 0) return nothing
  return (
    <ul>
      {written.map(([kind, code]) => (
        <li key={kind} className="whitespace-nowrap">
          {kind} <span className="font-mono">{code}</span>
        </li>
      ))}
    </ul>
  )
}
