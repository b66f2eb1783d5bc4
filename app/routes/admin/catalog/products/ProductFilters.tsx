import { GridFilter } from '../../../../ui/data-grid/GridFilter.tsx'
import type { GridUrl } from '../../../../ui/data-grid/grid-url.ts'

type Options = readonly (readonly [value: string, label: string])[]

const categoryOptions: Options = [
  ['', 'All'],
  ['Rx', 'Rx'],
  ['OTC', 'OTC'],
]
const stockOptions: Options = [
  ['', 'All'],
  ['in', 'In stock'],
  ['out', 'Out of stock'],
]

/** The filters of the product list. @param extraStockOptions further options for variants */
export const ProductFilters = ({
  url,
  extraStockOptions = [],
}: {
  url: GridUrl
  extraStockOptions?: Options
}) => (
  <>
    <GridFilter url={url} name="category" label="Category" options={categoryOptions} />
    <GridFilter url={url} name="stock" label="Stock" options={[...stockOptions, ...extraStockOptions]} />
  </>
)
