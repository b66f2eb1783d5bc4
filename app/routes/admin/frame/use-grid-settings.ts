import type { GridName } from '#domain/grid-views.ts'
import { useCallback, useMemo, useState } from 'react'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import type { GridSettings, GridView } from '../../../ui/data-grid/grid-types.ts'
import type { GridUrl } from '../../../ui/data-grid/grid-url.ts'
import { hiddenInUrl, hideInUrl } from '../../../ui/data-grid/hidden-columns.ts'

export type LoadedSettings = Pick<GridSettings, 'hidden' | 'widths' | 'views'>

/** What the employee has chosen for a grid, applied at once and saved for next time. */
export function useGridSettings(grid: GridName, loaded: LoadedSettings, url: GridUrl): GridSettings {
  const [ownHidden, setHidden] = useState(loaded.hidden)
  const [widths, setWidths] = useState(loaded.widths)
  const [views, setViews] = useState(loaded.views)
  const { client } = trpc.useUtils()
  const sharedHidden = hiddenInUrl(url.params)
  const isShared = sharedHidden !== null
  const { go } = url
  // If a save fails, the old choice returns next time: not worth an error message.
  const hide = useCallback(
    (columns: readonly string[]) => {
      if (isShared) return go(hideInUrl(columns), { replace: true })
      setHidden(columns)
      client.grids.hideColumns.mutate({ grid, columns: [...columns] }).catch(() => {})
    },
    [client, grid, isShared, go],
  )
  const resize = useCallback(
    (widths: Readonly<Record<string, number>>) => {
      setWidths(widths)
      client.grids.resizeColumns.mutate({ grid, widths }).catch(() => {})
    },
    [client, grid],
  )
  const byViews = useMemo(() => {
    const change = (to: (views: readonly GridView[]) => readonly GridView[]) =>
      setViews((views) => to(views).toSorted((a, b) => a.name.localeCompare(b.name)))
    return {
      saveView: (name: string, params: GridView['params']) =>
        failureOf(
          client.grids.saveView
            .mutate({ grid, name, params })
            .then((view) => change((views) => [...views, view])),
        ),
      renameView: (id: string, name: string) =>
        failureOf(
          client.grids.renameView
            .mutate({ id, name })
            .then(() => change((views) => views.map((view) => (view.id === id ? { ...view, name } : view)))),
        ),
      deleteView: (id: string) =>
        failureOf(
          client.grids.deleteView
            .mutate({ id })
            .then(() => change((views) => views.filter((view) => view.id !== id))),
        ),
    }
  }, [client, grid])
  return { hidden: sharedHidden ?? ownHidden, hide, widths, resize, views, ...byViews }
}

/** Why a call failed, for the field it was typed in; null after success. */
async function failureOf(call: Promise<unknown>): Promise<string | null> {
  try {
    await call
    return null
  } catch (error) {
    const { fields, message } = toCallFailure(error)
    return fields['name'] ?? message
  }
}
