import { paths } from '#domain/paths.ts'
import type { ReactNode } from 'react'

/**
 * Leads to the profile's section for the ID document. A document load, because the browser then
 * focuses the section's heading; the router would only scroll to it.
 */
export const IdDocumentLink = ({ children }: { children: ReactNode }) => (
  <a href={paths.idDocumentSection} className="text-link">
    {children}
  </a>
)
