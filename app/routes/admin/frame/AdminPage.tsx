import type { ReactNode } from 'react'
import { BackLink, type BackLinkProps } from '../../../components/BackLink.tsx'
import { linkToLastVisit } from './last-visits.ts'

type AdminPageProps = {
  title: string
  /** The page above this one; without it, the page is one of the sidebar's. */
  back?: BackLinkProps | null
  /** The page's main actions, beside the title. */
  actions?: ReactNode
  /** Whether the page is to be printed, without its title. */
  prints?: boolean
  children: ReactNode
}

/** A back-office page with its title and main actions. */
export const AdminPage = ({ title, back = null, actions, prints = false, children }: AdminPageProps) => (
  <>
    <title>{`${title} | Meridian`}</title>
    {back ? <BackLink {...back} {...linkToLastVisit(back.to)} /> : null}
    <div className={`mb-3 flex flex-wrap items-center gap-2 ${prints ? 'print:hidden' : ''}`}>
      <h1>{title}</h1>
      <div className="ms-auto flex flex-wrap gap-2 print:hidden">{actions}</div>
    </div>
    {children}
  </>
)
