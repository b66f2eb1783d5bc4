import { paths } from '#domain/paths.ts'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { Link } from '../render/Link.tsx'
import { AccountMenu, type MenuUser } from './AccountMenu.tsx'
import { LogoMark } from './Logo.tsx'
import { SearchBox } from './SearchBox.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'
import type { Theme } from './theme.ts'
import { ShieldCheck, ShoppingCart } from '../ui/icons.tsx'

type SiteHeaderProps = {
  /** The current search term. */
  term?: string | undefined
  /** `PersonButtons`. */
  children: ReactNode
}

const isWithinProducts = (path: string): boolean => `${path}/`.startsWith(`${paths.products}/`)

/** The shared header: one row on a wide screen; on a phone, the search is on its own row. */
export const SiteHeader = ({ term, children }: SiteHeaderProps) => (
  <header className="border-b border-line bg-base-100">
    <div className="page flex flex-wrap items-center gap-x-2 gap-y-2 py-2 lg:flex-nowrap lg:gap-x-4 lg:py-3">
      <Link
        to={paths.home}
        className="flex min-h-11 items-center gap-2 rounded-field pe-2 max-sm:-order-2 text-lg font-bold tracking-tight"
      >
        <LogoMark className="size-8" />
        Meridian
      </Link>
      <nav aria-label="Main" className="max-sm:order-last max-sm:-my-1 max-sm:-ms-3">
        <Link
          to={paths.products}
          prefetch="intent"
          aria-current={isWithinProducts(useLocation().pathname) ? 'page' : undefined}
          className="flex min-h-11 items-center rounded-field px-3 font-semibold decoration-2 underline-offset-8 hover:bg-base-200 aria-[current=page]:text-primary aria-[current=page]:underline"
        >
          Products
        </Link>
      </nav>
      <div className="order-1 w-full max-sm:order-none lg:order-none lg:max-w-xl lg:flex-1">
        <SearchBox term={term} />
      </div>
      <p className="ms-auto flex items-center gap-1.5 text-sm font-medium whitespace-nowrap text-success max-sm:order-last">
        <ShieldCheck className="size-4 flex-none" />
        Verified Pharmacies
      </p>
      {children}
    </div>
  </header>
)

type CartPanel = { open: () => void; prepare: () => void }

type PersonButtonsProps = {
  theme: Theme
  user: MenuUser | null | undefined
  cartCount: number
  /** Absent on the server, and without a cart to show. */
  cartPanel?: CartPanel | undefined
  /** The current path and query. */
  path: string
  /** The page that required a sign-in, which continues there; by default, the current one. */
  leaving?: string | undefined
}

/**
 * The header's buttons, which differ from person to person. They use no context and no `useId`:
 * for a page from memory, the server renders them alone (app/render/frame-parts.server.tsx).
 */
export const PersonButtons = ({ theme, user, cartCount, cartPanel, path, leaving }: PersonButtonsProps) => (
  <div className="-me-3 flex items-center max-sm:-order-1 max-sm:ms-auto">
    <ThemeSwitch theme={theme} path={path} />
    <AccountMenu user={user} path={leaving ?? path} />
    <CartButton count={cartCount} panel={cartPanel} />
  </div>
)

/** With scripts and a cart it opens the panel; otherwise it goes to the cart page. */
const CartButton = ({ count, panel }: { count: number; panel: CartPanel | undefined }) => (
  <form
    action={paths.cart}
    onPointerEnter={panel?.prepare}
    onFocus={panel?.prepare}
    onSubmit={(event) => {
      if (!panel) return
      event.preventDefault()
      panel.open()
    }}
  >
    <button className="btn btn-ghost btn-square relative">
      <ShoppingCart />
      <span className="sr-only">Cart</span>
      {count > 0 ? (
        <span className="absolute end-0 top-0 min-w-5 rounded-full bg-accent px-1 text-center text-xs leading-5 font-bold text-accent-content tabular-nums">
          {count}
        </span>
      ) : null}
    </button>
  </form>
)
