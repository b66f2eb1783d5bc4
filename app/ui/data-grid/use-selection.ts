import { useMemo, useState } from 'react'

/** Which rows are chosen: some by their ids, or all that match. */
export type Selection = {
  ids: ReadonlySet<string>
  /** All that the grid's search and filters match, on whatever page. */
  isAll: boolean
  /** Chooses or lets go of rows; without `to` each the other way. */
  toggle: (ids: readonly string[], to?: boolean) => void
  chooseAll: () => void
  clear: () => void
}

/** What of a grid's parameters says where one is in it, and not what it matches. */
const placeParams = ['after', 'before', 'last', 'size', 'sort', 'dir']

/**
 * What is chosen of a grid.
 * @param params the grid's: "all that match" is meant of this search and these filters, and let go of with them
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
      chooseAll: () => set((had) => ({ ...had, isAll: true })),
      clear: () => set((had) => ({ ...had, ids: new Set(), isAll: false })),
    }),
    [ids, isAll],
  )
}
