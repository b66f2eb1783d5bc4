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

export function useSelection(): Selection {
  const [{ ids, isAll }, set] = useState<{ ids: ReadonlySet<string>; isAll: boolean }>({
    ids: new Set(),
    isAll: false,
  })
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
          return { ids: next, isAll: false }
        }),
      chooseAll: () => set((had) => ({ ...had, isAll: true })),
      clear: () => set({ ids: new Set(), isAll: false }),
    }),
    [ids, isAll],
  )
}
