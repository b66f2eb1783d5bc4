import { useId, useSyncExternalStore, type ReactNode } from 'react'
import { Ellipsis } from '../admin-icons.tsx'

const narrow = '(width < 48rem)'

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(narrow)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => window.matchMedia(narrow).matches,
    () => false,
  )

/**
 * A row's actions, side by side. On a narrow screen they are in a menu, whose button stays at the
 * edge of the grid.
 */
export function RowActions({ name, children }: { name: string; children: ReactNode }) {
  const id = useId()
  const isNarrow = useIsNarrow()
  if (!isNarrow) return <div className="row-actions">{children}</div>
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost btn-square"
        aria-label={`Actions for ${name}`}
        popoverTarget={id}
      >
        <Ellipsis />
      </button>
      <div
        id={id}
        popover="auto"
        role="group"
        aria-label={`Actions for ${name}`}
        className="popover p-2"
        onClick={({ currentTarget }) => currentTarget.hidePopover()}
      >
        <div className="grid justify-items-start">{children}</div>
      </div>
    </>
  )
}
