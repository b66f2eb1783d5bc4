import { paths } from '#domain/paths.ts'
import { IconButton } from '../ui/Button.tsx'
import { Link } from '../render/Link.tsx'

/** The signed-in user, as the header shows them. */
export type MenuUser = { name: string; email: string; initial: string; isStaff: boolean }

const item = 'flex min-h-11 w-full items-center px-4 font-medium hover:bg-base-200'

/**
 * The account menu. It is a native popover, so it opens without scripts. Its React key changes on
 * navigation, which closes it.
 * @param path the current path and query
 */
export function AccountMenu({ user, path }: { user: MenuUser | null | undefined; path: string }) {
  return (
    <>
      {user ? (
        <IconButton label="Account menu" type="button" popoverTarget="account-menu">
          <span className="grid size-8 place-items-center rounded-full bg-primary font-semibold text-primary-content">
            {user.initial}
          </span>
        </IconButton>
      ) : (
        <button
          type="button"
          className="btn btn-ghost px-2"
          popoverTarget="account-menu"
          aria-label="Sign In, account menu"
        >
          Sign In
        </button>
      )}
      <div
        key={path + user?.email}
        id="account-menu"
        popover="auto"
        className={user ? 'popover py-2' : 'popover p-4'}
        onBlur={({ currentTarget, relatedTarget }) => {
          // Its own button closes it by itself.
          const stays = relatedTarget?.closest('#account-menu, [popovertarget="account-menu"]')
          if (stays === null) currentTarget.hidePopover()
        }}
      >
        {user ? (
          <>
            <p className="max-w-72 border-b border-line px-4 pt-1 pb-3 wrap-anywhere">
              <b className="block font-semibold">{user.name}</b>
              <span className="block text-sm text-muted">{user.email}</span>
            </p>
            <nav aria-label="Account" className="py-2">
              {pagesOf(user).map(([page, name]) => (
                <Link key={page} to={page} className={item}>
                  {name}
                </Link>
              ))}
            </nav>
            <form method="post" action={paths.api.logout} className="border-t border-line pt-2">
              <button className={item}>Log out</button>
            </form>
          </>
        ) : (
          <>
            <p className="text-sm text-muted">You’re not signed in.</p>
            <a href={signInHref(path)} className="btn btn-primary mt-3 w-full">
              Sign In
            </a>
          </>
        )}
      </div>
    </>
  )
}

const pagesOf = ({ isStaff }: MenuUser): (readonly [path: string, name: string])[] => [
  [paths.profile, 'My Profile'],
  [paths.orderHistory, 'Order History'],
  [paths.prescriptions, 'My Prescriptions'],
  [paths.account.security, 'Security'],
  ...(isStaff ? [[paths.backOffice, 'Admin Dashboard'] as const] : []),
]

/**
 * The home page is not worth returning to, and mailed links have a token that belongs in no other
 * URL. `signInTarget` knows the sign-in pages.
 */
const signInHref = (path: string): string =>
  /^\/($|reset|confirm)/.test(path) ? paths.api.login : paths.api.loginFor(path)
