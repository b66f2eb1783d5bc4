import type { CartView } from '#domain/cart/cart.ts'
import { paths } from '#domain/paths.ts'
import { useEffect, useRef, type ReactNode } from 'react'
import { useLocation, useNavigation } from 'react-router'
import type { MenuUser } from './AccountMenu.tsx'
import { UnavailableNotice } from './UnavailableNotice.tsx'
import { SiteFooter } from './SiteFooter.tsx'
import { SiteHeader } from './SiteHeader.tsx'
import { StayOffline } from './StayOffline.tsx'
import type { Theme } from './theme.ts'
import { Toasts } from '../ui/Toasts.tsx'
import { useCartPanel } from './use-cart-panel.ts'
import { useOnline } from '../ui/use-online.ts'
import type { ToastMessage } from '../ui/toasts.ts'

type SiteLayoutProps = {
  /** Null when it could not be read. */
  cart: CartView | null
  theme: Theme
  /** The signed-in user. */
  user: MenuUser | null
  /** The result of an action on the previous page. */
  flash: ToastMessage | null | undefined
  /** Names of items that left the cart because they are no longer sold. */
  removedNames: readonly string[] | undefined
  children: ReactNode
}

/** The frame of every public page: skip link, banner, main, footer and the cart panel. */
export function SiteLayout({ cart, theme, user, flash, removedNames, children }: SiteLayoutProps) {
  const panel = useCartPanel()
  const closeCart = panel.close
  const { pathname, search } = useLocation()
  const term = pathname === paths.products ? (new URLSearchParams(search).get('q') ?? '') : ''
  const online = useOnline()
  const main = useRef<HTMLElement>(null)
  const shownPath = useRef(pathname)
  // Client-side navigation moves focus to the top, as a full page load does.
  useEffect(() => {
    if (shownPath.current === pathname) return
    shownPath.current = pathname
    closeCart()
    main.current?.focus({ preventScroll: true })
  }, [pathname, closeCart])
  const leaving = useNavigation().state !== 'idle'
  return (
    <>
      {leaving ? <div className="page-progress" aria-hidden="true" /> : null}
      <a
        href="#main"
        className="btn btn-primary absolute start-4 top-2 z-30 -translate-y-24 focus-visible:translate-y-0"
      >
        Skip to content
      </a>
      <SiteHeader
        cartCount={cart?.count ?? 0}
        theme={theme}
        user={user}
        term={term}
        cartPanel={cart && panel}
      />
      <main ref={main} id="main" tabIndex={-1} className="outline-none">
        <Toasts message={flash ?? null} />
        <UnavailableNotice key={removedNames?.join()} names={removedNames ?? []} />
        {children}
      </main>
      <SiteFooter />
      {/* Mounted only while offline: with a blocker, the router warns about every link to a
          fragment. */}
      {online ? null : <StayOffline />}
      {cart && panel.Panel ? <panel.Panel cart={cart} open={panel.isOpen} onClose={closeCart} /> : null}
    </>
  )
}
