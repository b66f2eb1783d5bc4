import type { ReactNode } from 'react'
import { ChevronDown } from './icons.tsx'

type DisclosureProps = {
  summary: ReactNode
  /** Open at the first paint. */
  open?: boolean
  /** Those of one name close each other: an accordion. */
  name?: string
  className?: string
  children: ReactNode
}

/** Something to open and close that works before and without scripts. */
export const Disclosure = ({ summary, open = false, name, className = '', children }: DisclosureProps) => (
  <details open={open} name={name} className={`group ${className}`}>
    <summary className="flex min-h-11 items-center gap-2 rounded-field font-semibold">
      {summary}
      <ChevronDown className="icon ms-auto transition-transform group-open:rotate-180" />
    </summary>
    {children}
  </details>
)
