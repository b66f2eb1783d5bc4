import { useMemo, useState } from 'react'

/** The selected rows: some by their ids, or all that match. */
export type Selection = {
  ids: ReadonlySet<string>
  /** All rows that the grid's search and filters match, on every page. */
  isAll: boolean
  /** Selects or deselects rows; without `to`, switches each. */
  toggle: (ids: readonly string[], to?: boolean) => void
  selectAll: () => void
  clear: () => void
}

/** Parameters that name a place in the grid, not what it matches. */
const placeParams = ['after', 'before', 'last', 'from', 'size', 'sort', 'dir', 'hide']

/**
 * The selection of a grid.
 * @param params the grid's parameters: the selection ends when the search or a filter changes, so
 * that a bulk action changes no row that the grid no longer matches. Other pages keep it.
 * @param hasOldRows whether the rows are of other parameters, until the new ones arrive: they
 * cannot be selected
 */
export function useSelection(params: Readonly<Record<string, string>>, hasOldRows: boolean): Selection {
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
      ids,
      isAll,
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
    [ids, isAll, hasOldRows],
  )
}
