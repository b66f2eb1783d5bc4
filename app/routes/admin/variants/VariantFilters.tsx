import { GridFilter } from '../../../ui/data-grid/GridFilter.tsx'
import type { GridPlaceInUrl } from '../../../ui/data-grid/grid-types.ts'

/** What the variants can be narrowed to. */
export const VariantFilters = ({ url }: { url: GridPlaceInUrl }) => (
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
        ['low', 'Low stock'],
      ]}
    />
    <GridFilter
      url={url}
      name="price"
      label="Price"
      options={[
        ['', 'All'],
        ['none', 'Without price'],
      ]}
    />
  </>
)
