import { productKind } from '#domain/catalog/catalog.ts'
import type { ProductRow } from '#domain/catalog/variant-grid.ts'
import { paths } from '#domain/paths.ts'
import { Pencil, RotateCcwClock } from '../../../../ui/admin-icons.tsx'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button, IconButton, LinkButton } from '../../../../ui/Button.tsx'
import type { GridColumn } from '../../../../ui/data-grid/grid-types.ts'
import { RowActions } from '../../../../ui/data-grid/RowActions.tsx'
import { Clamped } from '../../../../ui/data-grid/Clamped.tsx'
import { ExternalLink, Trash } from '../../../../ui/icons.tsx'
import { money } from '../../frame/money.ts'

type RowActions = Record<'onEdit' | 'onDelete' | 'onShowHistory', (row: ProductRow) => void>

export const productColumns = ({ onEdit, onDelete, onShowHistory }: RowActions): GridColumn<ProductRow>[] => [
  {
    id: 'product',
    header: 'Product',
    sort: 'name',
    width: 'min-w-44',
    cell: ({ name, controlledSchedule }) => (
      <>
        <b>
          <Clamped text={name} lines={controlledSchedule ? 1 : 2} />
        </b>
        {controlledSchedule ? <span className="block text-muted">{controlledSchedule}</span> : null}
      </>
    ),
  },
  {
    id: 'category',
    header: 'Category',
    cell: ({ category, route, forms }) => (
      <>
        <Badge tone={category === 'Rx' ? 'primary' : 'neutral'}>{category}</Badge>
        <span className="block whitespace-nowrap text-muted">
          {productKind({ route, forms, category: '' })}
        </span>
      </>
    ),
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
  {
    id: 'actions',
    header: 'Actions',
    cell: (row) => (
      <RowActions name={row.name}>
        <Button type="button" kind="quiet" aria-label={`Edit ${row.name}`} onClick={() => onEdit(row)}>
          <Pencil /> Edit
        </Button>
        <LinkButton kind="quiet" to={paths.product(row.id)} aria-label={`View ${row.name}`}>
          <ExternalLink /> View
        </LinkButton>
        <IconButton
          label={`History of ${row.name}`}
          title="History"
          type="button"
          onClick={() => onShowHistory(row)}
        >
          <RotateCcwClock />
        </IconButton>
        <IconButton
          type="button"
          label={`Delete ${row.name}`}
          title="Delete"
          className="text-muted"
          onClick={() => onDelete(row)}
        >
          <Trash />
        </IconButton>
      </RowActions>
    ),
  },
]

function priceRange({ priceMin, priceMax }: ProductRow): string {
  if (priceMin === null || priceMax === null) return '–'
  return priceMin === priceMax ? money(priceMin) : `${money(priceMin)}\u00a0–\u00a0${money(priceMax)}`
}
