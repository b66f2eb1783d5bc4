import type { ReactNode } from 'react'
import { useHydrated } from '../use-hydrated.ts'

type CellButtonProps = {
  className: string
  /** The classes of the text, which takes as much space as the button. */
  textClassName?: string
  /** With the value, and what the button does. */
  label: string
  onClick: () => void
  /** The value. */
  children: ReactNode
}

/** A cell's value, as a button that changes it. Text until scripts run, which the button needs. */
export function CellButton({
  className,
  textClassName = className,
  label,
  onClick,
  children,
}: CellButtonProps) {
  if (!useHydrated()) return <span className={textClassName}>{children}</span>
  return (
    <button type="button" className={className} aria-label={label} onClick={onClick}>
      {children}
    </button>
  )
}
