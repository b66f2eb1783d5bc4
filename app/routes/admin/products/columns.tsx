import { dollars } from '#domain/money.ts'
import type { ProductRow } from '#domain/variant-grid.ts'
import { Badge } from '../../../ui/Badge.tsx'
import type { GridColumn } from '../../../ui/data-grid/grid-types.ts'

export const productColumns: GridColumn<ProductRow>[] = [
  {
    id: 'product',
    header: 'Product',
    sort: 'name',
    width: 'min-w-52',
    cell: ({ name, controlledSchedule }) => (
      <>
        <b>{name}</b>
        {controlledSchedule ? <span className="block text-muted">{controlledSchedule}</span> : null}
      </>
    ),
  },
  {
    id: 'category',
    header: 'Category',
    cell: ({ category }) => <Badge tone={category === 'Rx' ? 'primary' : 'neutral'}>{category}</Badge>,
  },
  {
    id: 'variants',
    header: 'Variants',
    align: 'end',
    sort: 'variants',
    firstDir: 'desc',
    cell: ({ variantCount }) => variantCount.toLocaleString('en-US'),
  },
  { id: 'price', header: 'Price Range', align: 'end', sort: 'price', cell: priceRange },
]

function priceRange({ priceMin, priceMax }: ProductRow): string {
  if (priceMin === null || priceMax === null) return '–'
  return priceMin === priceMax ? dollars(priceMin) : `${dollars(priceMin)} – ${dollars(priceMax)}`
}
