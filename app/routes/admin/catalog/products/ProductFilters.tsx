import { GridFilter } from '../../../../ui/data-grid/GridFilter.tsx'
import type { GridPlaceInUrl } from '../../../../ui/data-grid/grid-types.ts'

type Options = readonly (readonly [value: string, label: string])[]

const categories: Options = [
  ['', 'All'],
  ['Rx', 'Rx'],
  ['OTC', 'OTC'],
]
const stocks: Options = [
  ['', 'All'],
  ['in', 'In stock'],
  ['out', 'Out of stock'],
]

/** What products can be narrowed to. @param moreStocks what variants can be, besides */
export const ProductFilters = ({ url, moreStocks = [] }: { url: GridPlaceInUrl; moreStocks?: Options }) => (
  <>
    <GridFilter url={url} name="category" label="Category" options={categories} />
    <GridFilter url={url} name="stock" label="Stock" options={[...stocks, ...moreStocks]} />
  </>
)
