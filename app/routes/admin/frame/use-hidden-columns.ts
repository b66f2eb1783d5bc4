import { useCallback, useState } from 'react'
import { trpc } from '../../../http/trpc.ts'

/** Which columns of a grid one does not want to see: changed at once, and kept for the next time. */
export function useHiddenColumns(grid: string, loaded: readonly string[]) {
  const [hidden, setHidden] = useState(loaded)
  const { mutate } = trpc.grids.hideColumns.useMutation()
  const hide = useCallback(
    (columns: string[]) => {
      setHidden(columns)
      // Not kept, it is as it was the next time; nothing is lost that would have to be told.
      mutate({ grid, columns })
    },
    [mutate, grid],
  )
  return [hidden, hide] as const
}
