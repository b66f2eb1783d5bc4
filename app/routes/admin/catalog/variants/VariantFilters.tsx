import { GridFilter } from '../../../../ui/data-grid/GridFilter.tsx'
import { NewestFirst } from '../../../../ui/data-grid/NewestFirst.tsx'
import type { GridUrl } from '../../../../ui/data-grid/grid-url.ts'
import { ProductFilters } from '../products/ProductFilters.tsx'

/** The filters of the variant list: those of products, and those only variants have. */
export const VariantFilters = ({ url }: { url: GridUrl }) => (
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
