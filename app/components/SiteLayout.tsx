import type { CartView } from '#domain/cart.ts'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { CartPanel } from './CartPanel.tsx'
import { FlashNotice, type Notice } from './FlashNotice.tsx'
import { SiteFooter } from './SiteFooter.tsx'
import { SiteHeader } from './SiteHeader.tsx'

type SiteLayoutProps = { cart: CartView; notices: readonly Notice[]; children: ReactNode }

/** What every public page shares: skip link, banner, main, footer and the cart's panel. */
export function SiteLayout({ cart, notices, children }: SiteLayoutProps) {
  const [cartOpen, setCartOpen] = useState(false)
  const { key, pathname, search } = useLocation()
  const term = pathname === '/products' ? (new URLSearchParams(search).get('q') ?? '') : ''
  const main = useRef<HTMLElement>(null)
  const shownPath = useRef(pathname)
  // A page that comes without a reload is read from its beginning, as one that comes with it.
  useEffect(() => {
    if (shownPath.current === pathname) return
    shownPath.current = pathname
    setCartOpen(false)
    main.current?.focus({ preventScroll: true })
  }, [pathname])
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
      <SiteHeader cartCount={cart.count} term={term} onOpenCart={() => setCartOpen(true)} />
      <main ref={main} id="main" tabIndex={-1} className="outline-none">
        {notices.length > 0 ? (
          <div className="page space-y-3 pt-4">
            {notices.map((notice) => (
              <FlashNotice key={`${key}-${notice.title}`} notice={notice} />
            ))}
          </div>
        ) : null}
        {children}
      </main>
      <SiteFooter />
      <CartPanel cart={cart} open={cartOpen} onClose={() => setCartOpen(false)} />
    </>
  )
}
