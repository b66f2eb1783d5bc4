/**
 * What the pages for visitors show: all of them the catalog, those of products also the stock. Set
 * by the triggers of migration 0049.
 */
export type PageScope = 'catalog' | 'stock'

/** The versions of what pages show: one row a scope, on Postgres one for each connection. */
export type PageVersionsTable = {
  scope: PageScope
  /** The process of the Postgres connection; 0 on SQLite. */
  slot: number
  version: string
}
