import type { Generated } from 'kysely'

/** One row: who imports now, and whether search is behind the catalogue. */
export type CatalogImportTable = {
  id: Generated<1>
  host: string | null
  pid: number | null
  /** When the import last reported that it is running. */
  heartbeatAt: Date | null
  searchIsStale: boolean
}

/** The keys met in this run. */
export type CatalogSeenTable = { catalogKey: string; digest: string }

/** Products of which a variant changed and whose names, links and summary are still to be settled. */
export type CatalogTouchedTable = { productId: string }

/** Rows that made no variant of their own: a UPC that completed one. */
export type CatalogRowsTable = { catalogKey: string; digest: string; variantId: string }
