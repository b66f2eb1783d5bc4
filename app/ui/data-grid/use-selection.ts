import { useMemo, useState } from 'react'

/** The selected rows: some by their ids, or all that match. */
export type Selection = {
  ids: ReadonlySet<string>
  /** All rows that the grid's search and filters match, on every page. */
  isAll: boolean
  /** The rows could not be loaded, and those shown are of other parameters. */
  isDisabled: boolean
  /** Selects or deselects rows; without `to`, switches each. */
  toggle: (ids: readonly string[], to?: boolean) => void
  selectAll: () => void
  clear: () => void
}

/** Parameters that name a place in the grid, not what it matches. */
const placeParams = ['after', 'before', 'last', 'from', 'size', 'sort', 'dir', 'hide']

/** The grid's query: the state of its rows. */
type RowsQuery = { data: unknown; isPlaceholderData: boolean }

const noIds: ReadonlySet<string> = new Set()

/**
 * The selection of a grid. Rows of other parameters cannot be selected: a bulk action would change
 * what the search matches, not what is shown.
 * @param params the grid's parameters: the selection ends when the search or a filter changes, so
 * that a bulk action changes no row that the grid no longer matches. Other pages keep it.
 */
export function useSelection(
  params: Readonly<Record<string, string>>,
  { data, isPlaceholderData }: RowsQuery,
): Selection {
  // After a failure, the page shows the rows of its loader again.
  const isDisabled = data === undefined
  const hasOldRows = isDisabled || isPlaceholderData
  const matched = JSON.stringify(
    Object.entries(params)
      .filter(([name]) => !placeParams.includes(name))
      .toSorted(([a], [b]) => a.localeCompare(b)),
  )
  const [{ ids, isAll, of }, set] = useState<{ ids: ReadonlySet<string>; isAll: boolean; of: string }>({
    ids: new Set(),
    isAll: false,
    of: matched,
  })
  if (of !== matched) set({ ids: new Set(), isAll: false, of: matched })
  return useMemo(
    () => ({
      // Those of another page come back once it is loaded.
      ids: isDisabled ? noIds : ids,
      isAll: isAll && !isDisabled,
      isDisabled,
      toggle: (toggledIds, to) =>
        !hasOldRows &&
        set((previous) => {
          const next = new Set(previous.ids)
          for (const id of toggledIds) {
            if (to ?? !next.has(id)) next.add(id)
            else next.delete(id)
          }
          return { ...previous, ids: next, isAll: false }
        }),
      selectAll: () => set((previous) => ({ ...previous, isAll: true })),
      clear: () => set((previous) => ({ ...previous, ids: new Set(), isAll: false })),
    }),
    [ids, isAll, isDisabled, hasOldRows],
  )
}
