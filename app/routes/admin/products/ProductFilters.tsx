import { GridFilter } from '../../../ui/data-grid/GridFilter.tsx'
import type { GridPlaceInUrl } from '../../../ui/data-grid/grid-types.ts'

/** What the products can be narrowed to. */
export const ProductFilters = ({ url }: { url: GridPlaceInUrl }) => (
  <>
    <GridFilter
      url={url}
      name="category"
      label="Category"
      options={[
        ['', 'All'],
        ['Rx', 'Rx'],
        ['OTC', 'OTC'],
      ]}
    />
    <GridFilter
      url={url}
      name="stock"
      label="Stock"
      options={[
        ['', 'All'],
        ['in', 'In stock'],
        ['out', 'Out of stock'],
      ]}
    />
  </>
)
