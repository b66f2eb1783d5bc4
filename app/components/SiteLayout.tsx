import { paths } from '#domain/paths.ts'
import { useEffect, useRef, type ReactNode } from 'react'
import { useLocation, useNavigation } from 'react-router'
import type { Frame } from './frame.ts'
import { UnavailableNotice } from './UnavailableNotice.tsx'
import { SiteFooter } from './SiteFooter.tsx'
import { PersonButtons, SiteHeader } from './SiteHeader.tsx'
import { StayOffline } from './StayOffline.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import { useCartPanel } from './use-cart-panel.ts'
import { useOnline } from '../ui/use-online.ts'

type SiteLayoutProps = {
  /** What could be loaded of it. */
  frame: Partial<Frame>
  children: ReactNode
}

/** The frame of every public page: skip link, banner, main, footer and the cart panel. */
export function SiteLayout({ frame, children }: SiteLayoutProps) {
  const { cart, theme = 'light', user, flash = null, removedNames = [] } = frame
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
      <SiteHeader term={term}>
        <PersonButtons
          theme={theme}
          user={user}
          cartCount={cart?.count ?? 0}
          cartPanel={cart && panel}
          path={pathname + search}
          leaving={flash?.leaving}
        />
      </SiteHeader>
      <main ref={main} id="main" tabIndex={-1} className="outline-none">
        <Toasts message={flash} />
        <UnavailableNotice key={removedNames.join()} names={removedNames} />
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
