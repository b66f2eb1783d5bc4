import { paths } from '#domain/paths.ts'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { Link } from '../../render/Link.tsx'

type AccountPageProps = {
  title: string
  intro?: ReactNode
  /** The page's main action, beside the title. */
  action?: ReactNode
  children: ReactNode
}

/** These five fit on one line on a phone. */
const pages = [
  [paths.profile, 'Profile'],
  [paths.orders, 'Orders'],
  [paths.prescriptions, 'Prescriptions'],
  [paths.account.security, 'Security'],
  [paths.account.activity, 'Data'],
] as const

/**
 * Whether a page belongs to a navigation entry: its own page, those below it, the order history,
 * and the deletion of the account.
 */
const isCurrent = (path: string, pathname: string): boolean =>
  pathname === path ||
  pathname.startsWith(`${path}/`) ||
  (path === paths.orders && pathname === paths.orderHistory) ||
  (path === paths.account.activity && pathname === paths.account.delete)

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
                aria-current={isCurrent(path, pathname) ? 'page' : undefined}
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

/** The layout of the account pages: their navigation, then the title and the content. */
export const AccountPage = ({ title, intro, action, children }: AccountPageProps) => (
  <>
    <AccountNav />
    <div className="page py-8">
      <div className="flex flex-wrap items-center justify-between gap-x-12 gap-y-4">
        <h1 className="text-xl wrap-anywhere sm:text-2xl">{title}</h1>
        {action}
      </div>
      {intro ? <p className="mt-2 max-w-[75ch] text-balance text-muted">{intro}</p> : null}
      <div className="mt-6">{children}</div>
    </div>
  </>
)
