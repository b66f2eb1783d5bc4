import { paths } from '#domain/paths.ts'
import type { ReactNode } from 'react'

type IdDocumentLinkProps = {
  /** Whether the upload is for checkout: the section then leads back to it. */
  isForCheckout: boolean
  children: ReactNode
}

/**
 * Leads to the profile's section for the ID document. A document load, because the browser then
 * focuses the section's heading; the router would only scroll to it.
 */
export const IdDocumentLink = ({ isForCheckout, children }: IdDocumentLinkProps) => (
  <a href={isForCheckout ? paths.idDocumentForCheckout : paths.idDocumentSection} className="text-link">
    {children}
  </a>
)
