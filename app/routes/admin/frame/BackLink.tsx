import type { ReactNode } from 'react'
import { Link } from '../../../render/Link.tsx'
import { ArrowLeft } from '../../../ui/icons.tsx'

/** The link to the page above this one. */
export const BackLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className="text-link inline-flex items-center gap-1">
    <ArrowLeft className="size-4" /> {children}
  </Link>
)
