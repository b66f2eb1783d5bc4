import type { ReactNode } from 'react'

type IdDocumentLinkProps = {
  path: string
  children: ReactNode
}

/**
 * Leads to the profile's section for the ID document. A document load, because the browser then
 * focuses the section's heading; the router would only scroll to it.
 */
export const IdDocumentLink = ({ path, children }: IdDocumentLinkProps) => (
  <a href={path} className="text-link">
    {children}
  </a>
)
