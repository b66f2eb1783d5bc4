import { paths } from '#domain/paths.ts'
import type { ReactNode } from 'react'

type IdDocumentLinkProps = {
  /** Missing in the data of an earlier release. */
  path: string | undefined
  children: ReactNode
}

/**
 * Leads to the profile's section for the ID document. A document load, because the browser then
 * focuses the section's heading; the router would only scroll to it.
 */
export const IdDocumentLink = ({ path = paths.idDocumentSection, children }: IdDocumentLinkProps) => (
  <a href={path} className="text-link">
    {children}
  </a>
)
