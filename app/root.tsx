import { httpStatus } from '#domain/errors.ts'
import figtree from './fonts/figtree-latin.woff2?url'
import type { Context } from '#server/context.ts'
import { toAppError } from '#server/errors.ts'
import { use, useEffect } from 'react'
import {
  data,
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
} from 'react-router'
import type { Route } from './+types/root'
import styles from './app.css?url'
import { campaignScript } from './http/campaign-params.ts'
import { clearFlashHeader } from './http/cookies.server.ts'
import { loadFrame, readPerson } from './http/load-frame.server.ts'
import { logOutage } from './http/log-outage.server.ts'
import { NonceContext } from './render/nonce.ts'
import { pageLoader, type PageError } from './http/page-loader.server.ts'
import { loadedFrame, requestContext } from './http/request-context.server.ts'
import { useFrame, type Frame, type LoadedFrame } from './components/frame.ts'
import { themeColors, activeTheme } from './components/theme.ts'
import { useCartMirror } from './components/use-cart-mirror.ts'
import { RouteError } from './components/RouteError.tsx'
import { SiteLayout } from './components/SiteLayout.tsx'

export const links: Route.LinksFunction = () => [
  { rel: 'preload', href: figtree, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
]

/**
 * The frame is one string, which can be replaced in a page from memory
 * (docs/decisions/0058-pages-with-a-cart.md).
 */
export const loader = pageLoader(async ({ request, url, context }: Route.LoaderArgs) => {
  const { ctx, env } = context.get(requestContext)
  const frame =
    context.get(loadedFrame) ??
    (await loadFrame(request, url.pathname, { ctx, env }).catch((error: unknown) => {
      throw toPersonError(ctx, error, readPerson(request, ctx))
    }))
  const headers = new Headers()
  if (frame.flash) headers.append('Set-Cookie', await clearFlashHeader(env))
  const loaded = { frame: JSON.stringify(frame), origin: env.publicOrigin } satisfies LoadedFrame & {
    origin: string
  }
  return data(loaded, { headers })
})

type Person = Pick<Frame, 'user' | 'theme'>

/** An error page on which the person stays signed in, in their theme. */
function toPersonError(ctx: Context, error: unknown, person: Person): unknown {
  const { code, message, retryAfter } = toAppError(error)
  if (code === 'INTERNAL') ctx.log.error({ err: error, code, requestId: ctx.requestId }, 'cart failed')
  else logOutage(ctx, error)
  return data<PageError & Person>({ code, message, retryAfter, ...person }, { status: httpStatus(code) })
}

/** Only an error of the root's own loader carries the person. */
const findPerson = (error: unknown): Person | null => {
  const person = isRouteErrorResponse(error) ? (error.data as Person | null) : null
  return person?.theme ? person : null
}

/**
 * Applies `localStorage['theme']` before the first paint, even when the server got no theme cookie.
 * When the browser denies storage, reading it throws and the server's theme stays.
 */
const themeScript = `try{var t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme='pharma-'+t}catch{}`

export function Layout({ children }: { children: React.ReactNode }) {
  const nonce = use(NonceContext)
  const serverTheme = useFrame()?.theme ?? 'light'
  // The browser does not run it again, so it is not in the script files.
  const firstScript = import.meta.env.SSR ? campaignScript + themeScript : ''
  // An error boundary re-renders the document, possibly without the server's theme. `theme-color`
  // keeps the server's value here, or React would add a second tag; ThemeSwitch updates it.
  const theme = import.meta.env.SSR ? serverTheme : activeTheme()
  return (
    <html lang="en" data-theme={`pharma-${theme}`} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={themeColors[serverTheme]} />
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: firstScript }} />
        {/* With a precedence, React writes it before all preloads. */}
        <link rel="stylesheet" href={styles} precedence="first" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  )
}

/**
 * What the frame showed last, for a navigation that does not reach the server: that fails the
 * root's loader too. Its messages were shown. Only an effect sets it, so never on the server, where
 * it would be another person's.
 */
let lastFrame: Frame | null = null

export default function App() {
  // Without a frame, the error boundary is rendered instead.
  const frame = useFrame() as Frame
  useCartMirror(frame.cart)
  useEffect(() => {
    lastFrame = { ...frame, flash: null, removedNames: [] }
  }, [frame])
  // The back office has its own frame.
  if (useMatches().some(({ id }) => id === 'routes/admin/layout')) return <Outlet />
  return (
    <SiteLayout frame={frame}>
      <Outlet />
    </SiteLayout>
  )
}

/**
 * What fails outside the shop's pages and the back office, or when the root's own loader failed. A
 * failed navigation keeps the data of the page before it.
 */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <SiteLayout frame={{ ...lastFrame, ...findPerson(error), ...useFrame() }}>
      <RouteError error={error} isTitled />
    </SiteLayout>
  )
}
