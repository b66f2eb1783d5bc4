import { useCallback, useState } from 'react'
import { trpc } from '../../../http/trpc.ts'

/** The columns of a grid that the admin has hidden, applied at once and saved for next time. */
export function useHiddenColumns(grid: string, loaded: readonly string[]) {
  const [hidden, setHidden] = useState(loaded)
  const { mutate } = trpc.grids.hideColumns.useMutation()
  const hide = useCallback(
    (columns: string[]) => {
      setHidden(columns)
      // If the save fails, the old choice returns next time: not worth an error message.
      mutate({ grid, columns })
    },
    [mutate, grid],
  )
  return [hidden, hide] as const
}
