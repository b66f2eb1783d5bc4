import type { ReactNode } from 'react'
import { ChevronDown } from './icons.tsx'

type DisclosureProps = {
  summary: ReactNode
  /** Whether it is open initially. */
  open?: boolean
  /** Disclosures with the same name close each other, as an accordion. */
  name?: string
  className?: string
  children: ReactNode
}

/** A section to open and close that works without scripts. */
export const Disclosure = ({ summary, open = false, name, className = '', children }: DisclosureProps) => (
  <details open={open} name={name} className={`group ${className}`}>
    <summary className="flex min-h-11 items-center gap-2 rounded-field font-semibold">
      {summary}
      <ChevronDown className="icon ms-auto transition-transform group-open:rotate-180" />
    </summary>
    {children}
  </details>
)
