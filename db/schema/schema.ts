import type { CartLinesTable, CartsTable } from './carts.ts'
import type {
  CatalogImportTable,
  CatalogRowsTable,
  CatalogSeenTable,
  CatalogTouchedTable,
} from './catalog-import.ts'
import type { ContactMessagesTable } from './contact-messages.ts'
import type { InventoryTransactionsTable } from './inventory-transactions.ts'
import type { ManufacturersTable } from './manufacturers.ts'
import type { OutboxTable } from './outbox.ts'
import type { PharmaciesTable } from './pharmacies.ts'
import type { ProductBrandsTable } from './product-brands.ts'
import type { ProductVariantsTable } from './product-variants.ts'
import type { ProductsTable } from './products.ts'
import type { RateLimitsTable } from './rate-limits.ts'
import type { ProductDocumentsTable, ProductNamesTable, SearchWordsTable } from './search.ts'
import type { VariantIdentifiersTable } from './variant-identifiers.ts'

/** All tables, camelCase as queries name them; the engines hold them in snake_case. */
export type Schema = {
  cartLines: CartLinesTable
  carts: CartsTable
  catalogImport: CatalogImportTable
  catalogRows: CatalogRowsTable
  catalogSeen: CatalogSeenTable
  catalogTouched: CatalogTouchedTable
  contactMessages: ContactMessagesTable
  inventoryTransactions: InventoryTransactionsTable
  manufacturers: ManufacturersTable
  outbox: OutboxTable
  pharmacies: PharmaciesTable
  productBrands: ProductBrandsTable
  productDocuments: ProductDocumentsTable
  productNames: ProductNamesTable
  productVariants: ProductVariantsTable
  products: ProductsTable
  rateLimits: RateLimitsTable
  searchWords: SearchWordsTable
  variantIdentifiers: VariantIdentifiersTable
}
