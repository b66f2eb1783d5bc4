import type { Generated } from 'kysely'

/** One row: the process that imports now, and whether search is behind the catalog. */
export type CatalogImportTable = {
  id: Generated<1>
  host: string | null
  pid: number | null
  /** When the process last reported that it is alive. */
  heartbeatAt: Date | null
  searchIsStale: boolean
}

/** The keys that this run has read. */
export type CatalogSeenTable = { catalogKey: string; digest: string }

/** Products with changed variants, whose names, links and summary are still to be updated. */
export type CatalogTouchedTable = { productId: string }

/** Rows that created no variant: a UPC that completed one. */
export type CatalogRowsTable = { catalogKey: string; digest: string; variantId: string }
