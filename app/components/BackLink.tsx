import type { ReactNode } from 'react'
import { Link, type LinkProps } from '../render/Link.tsx'
import { ArrowLeft } from '../ui/icons.tsx'

export type BackLinkProps = Pick<
  LinkProps,
  'to' | 'state' | 'onClick' | 'prefetch' | 'defaultShouldRevalidate'
> & {
  /** The name of the page above. */
  label: ReactNode
}

/** The link to the page above this one. It is always the first of the page. */
export const BackLink = ({ label, ...link }: BackLinkProps) => (
  <p className="mb-2 print:hidden">
    <Link {...link} className="text-link inline-flex min-h-11 items-center md:min-h-8 gap-1" data-back="">
      <ArrowLeft className="size-4" /> {label}
    </Link>
  </p>
)
