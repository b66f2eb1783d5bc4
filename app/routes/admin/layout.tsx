import { QueryClientProvider } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { Outlet, useLocation, useNavigation } from 'react-router'
import styles from '../../admin.css?url'
import { AccountMenu } from '../../components/AccountMenu.tsx'
import { describeError } from '../../components/RouteError.tsx'
import { ThemeSwitch } from '../../components/ThemeSwitch.tsx'
import { adminLoader } from '../../http/admin-loader.server.ts'
import { densityCookie, readDensity } from '../../http/density-cookie.ts'
import { readSidebar, sidebarCookie } from '../../http/sidebar-cookie.ts'
import { newQueryClient, newTrpcClient, trpc } from '../../http/trpc.ts'
import { Keyboard, Menu } from '../../ui/admin-icons.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { DensityContext, type Density } from '../../ui/data-grid/density.ts'
import { useShortcuts } from '../../ui/data-grid/shortcuts.ts'
import { Search } from '../../ui/icons.tsx'
import { Toasts } from '../../ui/Toasts.tsx'
import { useFrame } from '../../components/frame.ts'
import type { Route } from './+types/layout'
import { BackOfficeError } from './frame/BackOfficeError.tsx'
import { CallPrompt } from './frame/CallPrompt.tsx'
import { DiscardPrompt } from './frame/DiscardPrompt.tsx'
import { KeyList } from './frame/KeyList.tsx'
import { recordVisit } from './frame/last-visits.ts'
import { LoadFailure } from './frame/LoadFailure.tsx'
import { Palette } from './frame/Palette.tsx'
import { Sidebar } from './frame/Sidebar.tsx'
import { Tooltips } from './frame/Tooltips.tsx'
import { UndoBar } from './frame/UndoBar.tsx'
import { useFirstError } from './frame/use-first-error.ts'
import type { Holder } from './frame/use-can.ts'

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }]

export const meta: Route.MetaFunction = () => [{ name: 'robots', content: 'noindex' }]

export const loader = adminLoader('any', async (ctx, { request }: Route.LoaderArgs) => {
  const holder: Holder = { permissions: [...(ctx.user?.permissions ?? [])] }
  const isMac = /Mac|iPhone|iPad/.test(request.headers.get('user-agent') ?? '')
  return { ...readSidebar(request), isMac, density: readDensity(request), ...holder }
})

/** The frame of the back office: the sidebar, the header, and the tRPC client of its pages. */
export default function AdminLayout({ loaderData }: Route.ComponentProps) {
  const [queryClient] = useState(newQueryClient)
  const [trpcClient] = useState(newTrpcClient)
  const [density, setDensity] = useState(loaderData.density)
  const densityChoice = useMemo(
    () => ({
      density,
      setDensity: (density: Density) => {
        document.cookie = densityCookie(density)
        setDensity(density)
      },
    }),
    [density],
  )
  return (
    <trpc.Provider client={trpcClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <Frame initiallyOpen={loaderData.isOpen} isMac={loaderData.isMac}>
          <DensityContext value={densityChoice}>
            <LoadFailure />
            <Outlet />
          </DensityContext>
        </Frame>
      </QueryClientProvider>
    </trpc.Provider>
  )
}

type FrameProps = { initiallyOpen: boolean; isMac?: boolean; children: ReactNode }

function Frame({ initiallyOpen, isMac = false, children }: FrameProps) {
  const { theme = 'light', user = null, flash = null } = useFrame() ?? {}
  const location = useLocation()
  const { pathname, search, key } = location
  const isNavigating = useNavigation().state !== 'idle'
  const [isOpen, setOpen] = useState(initiallyOpen)
  const [panel, setPanel] = useState<'keys' | 'palette' | null>(null)
  const main = useRef<HTMLElement>(null)
  const sidebar = useRef<HTMLElement>(null)
  const shown = useRef({ pathname, key })
  useFirstError()
  useEffect(() => recordVisit(location), [location])
  // After client-side navigation, focus the page's start, as a full page load does. After a form of
  // the same page, only if the pressed button is no longer there.
  useEffect(() => {
    const before = shown.current
    shown.current = { pathname, key }
    if (before.key === key) return
    if (before.pathname === pathname && document.activeElement !== document.body) return
    if (sidebar.current?.matches(':popover-open')) sidebar.current.hidePopover()
    main.current?.focus({ preventScroll: true })
  }, [pathname, key])
  const toggle = useCallback(
    () =>
      setOpen((isOpen) => {
        document.cookie = sidebarCookie(!isOpen)
        return !isOpen
      }),
    [],
  )
  useShortcuts(
    useMemo(
      () => [
        { keys: 'mod+b', label: 'Show or hide the sidebar', run: toggle },
        { keys: 'mod+k', label: 'Go to a page, product, order or customer', run: () => setPanel('palette') },
        { keys: '?', label: 'Keyboard shortcuts', run: () => setPanel('keys') },
      ],
      [toggle],
    ),
  )
  return (
    <div className="back-office">
      {isNavigating ? <div className="page-progress" aria-hidden="true" /> : null}
      <a
        href="#main"
        className="btn btn-primary absolute start-4 top-2 z-30 -translate-y-24 focus-visible:translate-y-0"
      >
        Skip to content
      </a>
      <Sidebar ref={sidebar} isOpen={isOpen} onToggle={toggle} />
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex min-h-14 items-center gap-1 border-b border-line px-4 print:hidden">
          <IconButton label="Open navigation" type="button" className="md:hidden" popoverTarget="sidebar">
            <Menu />
          </IconButton>
          <button type="button" className="btn btn-ghost" onClick={() => setPanel('palette')}>
            <Search /> Go to{' '}
            <kbd className="font-mono text-muted max-md:hidden">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
          </button>
          <div className="ms-auto flex items-center">
            <IconButton
              label="Keyboard shortcuts"
              type="button"
              className="max-md:hidden"
              onClick={() => setPanel('keys')}
            >
              <Keyboard />
            </IconButton>
            <ThemeSwitch theme={theme} path={pathname + search} />
            <AccountMenu user={user} path={pathname + search} />
          </div>
        </header>
        <main ref={main} id="main" tabIndex={-1} className="flex-1 px-4 py-4 outline-none md:px-6 print:p-0">
          <Toasts message={flash} />
          <div className="hidden mb-4 text-muted noscript:flex">
            Some buttons are hidden, because they need JavaScript. Turn it on to add, edit and delete.
          </div>
          {children}
        </main>
      </div>
      <UndoBar />
      <DiscardPrompt />
      <CallPrompt />
      <Palette open={panel === 'palette'} onClose={() => setPanel(null)} />
      <Tooltips />
      <KeyList open={panel === 'keys'} onClose={() => setPanel(null)} />
    </div>
  )
}

/** An error of a back-office page, inside the frame. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { status, title } = describeError(error)
  return (
    <Frame initiallyOpen>
      <title>{`${title} | Meridian`}</title>
      <BackOfficeError status={status} title={title} />
    </Frame>
  )
}
