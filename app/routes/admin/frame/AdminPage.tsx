import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
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
export function AdminPage({ title, back = null, actions, prints = false, children }: AdminPageProps) {
  const { pathname } = useLocation()
  return (
    <>
      <title>{`${title} | Meridian`}</title>
      {/* A list and its entry may share a path. Then the last visit is the entry itself. */}
      {back ? <BackLink {...back} {...(back.to !== pathname && linkToLastVisit(back.to))} /> : null}
      <div className={`mb-3 flex flex-wrap items-center gap-2 ${prints ? 'print:hidden' : ''}`}>
        <h1>{title}</h1>
        <div className="ms-auto flex flex-wrap gap-2 print:hidden">{actions}</div>
      </div>
      {children}
    </>
  )
}
