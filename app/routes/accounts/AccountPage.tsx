import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { Link } from '../../ui/Link.tsx'

type AccountPageProps = {
  title: string
  lead?: ReactNode
  /** Beside the title: what one comes here to do. */
  action?: ReactNode
  children: ReactNode
}

/** Five that stand in one line on a phone. */
const pages = [
  ['/profile', 'Profile'],
  ['/orders', 'Orders'],
  ['/prescriptions', 'Prescriptions'],
  ['/account/security', 'Security'],
  ['/account/activity', 'Data'],
] as const

/** Whether a page belongs to an entry: its own, those below it, and the history of what one ordered. */
const isAt = (path: string, pathname: string): boolean =>
  pathname === path ||
  pathname.startsWith(`${path}/`) ||
  (path === '/orders' && pathname === '/order-history')

function AccountNav() {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Your account" className="border-b border-line bg-base-200 print:hidden">
      <div className="page">
        <ul className="-mx-1.5 flex flex-wrap py-1 max-sm:text-sm sm:-mx-3">
          {pages.map(([path, name]) => (
            <li key={path}>
              <Link
                to={path}
                aria-current={isAt(path, pathname) ? 'page' : undefined}
                className="flex min-h-11 items-center rounded-field px-1.5 font-semibold decoration-2 underline-offset-8 hover:bg-base-300 sm:px-3 aria-[current=page]:text-primary aria-[current=page]:underline"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  )
}

/** The frame of the pages about oneself: the ways between them, then the title and what one comes to do. */
export const AccountPage = ({ title, lead, action, children }: AccountPageProps) => (
  <>
    <AccountNav />
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
