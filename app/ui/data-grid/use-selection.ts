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
const placeParams = ['after', 'before', 'last', 'size', 'sort', 'dir']

/**
 * The selection of a grid.
 * @param params the grid's parameters: "all that match" ends when the search or a filter changes
 */
export function useSelection(params: Readonly<Record<string, string>>): Selection {
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
  if (of !== matched) set({ ids, isAll: false, of: matched })
  return useMemo(
    () => ({
      ids,
      isAll,
      toggle: (some, to) =>
        set((had) => {
          const next = new Set(had.ids)
          for (const id of some) {
            if (to ?? !next.has(id)) next.add(id)
            else next.delete(id)
          }
          return { ...had, ids: next, isAll: false }
        }),
      selectAll: () => set((had) => ({ ...had, isAll: true })),
      clear: () => set((had) => ({ ...had, ids: new Set(), isAll: false })),
    }),
    [ids, isAll],
  )
}
