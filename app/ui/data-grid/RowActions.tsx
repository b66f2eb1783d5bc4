import { useId, type ReactNode } from 'react'
import { Ellipsis } from '../admin-icons.tsx'

/**
 * A row's actions, side by side. On a narrow screen they are in a menu, whose button stays at the
 * edge of the grid. Styles decide, so that nothing moves when the scripts start.
 */
export function RowActions({ name, children }: { name: string; children: ReactNode }) {
  const id = useId()
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost btn-square md:hidden"
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
        className="toolbar-menu popover"
        onClick={({ currentTarget }) => {
          if (currentTarget.matches(':popover-open')) currentTarget.hidePopover()
        }}
      >
        <div className="row-actions">{children}</div>
      </div>
    </>
  )
}
