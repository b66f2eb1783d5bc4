import { GridFilter } from '../../../../ui/data-grid/GridFilter.tsx'
import { NewestFirst } from '../../../../ui/data-grid/NewestFirst.tsx'
import type { GridPlaceInUrl } from '../../../../ui/data-grid/grid-types.ts'
import { ProductFilters } from '../products/ProductFilters.tsx'

/** What the variants can be narrowed to: as products are, and by what only a variant has. */
export const VariantFilters = ({ url }: { url: GridPlaceInUrl }) => (
  <>
    <ProductFilters url={url} moreStocks={[['low', 'Low stock']]} />
    <GridFilter
      url={url}
      name="price"
      label="Price"
      options={[
        ['', 'All'],
        ['none', 'Without price'],
      ]}
    />
    <NewestFirst url={url} />
  </>
)
