import { GridFilter } from '../../../../ui/data-grid/GridFilter.tsx'
import { NewestFirst } from '../../../../ui/data-grid/NewestFirst.tsx'
import type { GridPlaceInUrl } from '../../../../ui/data-grid/grid-types.ts'
import { ProductFilters } from '../products/ProductFilters.tsx'

/** The filters of the variant list: those of products, and those only variants have. */
export const VariantFilters = ({ url }: { url: GridPlaceInUrl }) => (
  <>
    <ProductFilters url={url} extraStockOptions={[['low', 'Low stock']]} />
    <GridFilter
      url={url}
      name="price"
      label="Price"
      options={[
        ['', 'All'],
        ['none', 'No price'],
      ]}
    />
    <NewestFirst url={url} />
  </>
)
