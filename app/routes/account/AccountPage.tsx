import type { ReactNode } from 'react'
import { NavLink } from 'react-router'

type AccountPageProps = {
  title: string
  lead?: ReactNode
  /** Beside the title: what one comes here to do. */
  action?: ReactNode
  children: ReactNode
}

const pages = [
  ['/profile', 'Profile'],
  ['/prescriptions', 'Prescriptions'],
  ['/account/security', 'Security'],
  ['/account/activity', 'Your data'],
] as const

/** The frame of the pages about oneself: the ways between them, then the title and what one comes to do. */
export const AccountPage = ({ title, lead, action, children }: AccountPageProps) => (
  <>
    <nav aria-label="Your account" className="border-b border-line bg-base-200 print:hidden">
      <div className="page">
        <ul className="-mx-2 flex flex-wrap py-1 max-sm:text-sm sm:-mx-3">
          {pages.map(([path, name]) => (
            <li key={path}>
              <NavLink
                to={path}
                className="flex min-h-11 items-center rounded-field px-2 font-semibold decoration-2 underline-offset-8 hover:bg-base-300 sm:px-3 aria-[current=page]:text-primary aria-[current=page]:underline"
              >
                {name}
              </NavLink>
            </li>
          ))}
        </ul>
      </div>
    </nav>
    <div className="page py-8">
      <div className="flex flex-wrap items-center justify-between gap-x-12 gap-y-4">
        <h1 className="text-xl sm:text-2xl">{title}</h1>
        {action}
      </div>
      {lead ? <p className="mt-2 max-w-[75ch] text-balance text-muted">{lead}</p> : null}
      <div className="mt-6">{children}</div>
    </div>
  </>
)
