import { isStaff } from '#domain/accounts/permissions.ts'
import { httpStatus } from '#domain/errors.ts'
import figtree from './fonts/figtree-latin.woff2?url'
import { getCart } from '#server/cart/get-cart.ts'
import type { Context } from '#server/context.ts'
import { toAppError } from '#server/errors.ts'
import { listCartStates } from '#server/dispensing/list-cart-states.ts'
import { displayName, type SessionUser } from '#domain/accounts/accounts.ts'
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
  useRouteLoaderData,
} from 'react-router'
import type { Route } from './+types/root'
import styles from './app.css?url'
import { clearFlashHeader, readCartToken, readFlash, readTheme } from './http/cookies.server.ts'
import { NonceContext } from './render/nonce.ts'
import { pageLoader, type PageError } from './http/page-loader.server.ts'
import { requestContext } from './http/request-context.server.ts'
import { themeColors, activeTheme, type Theme } from './components/theme.ts'
import { useCartMirror } from './components/use-cart-mirror.ts'
import { RouteError } from './components/RouteError.tsx'
import type { MenuUser } from './components/AccountMenu.tsx'
import { SiteLayout } from './components/SiteLayout.tsx'

export const links: Route.LinksFunction = () => [
  { rel: 'preload', href: figtree, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
]

export const loader = pageLoader(async ({ request, url, context }: Route.LoaderArgs) => {
  const { ctx, env } = context.get(requestContext)
  const flash = await readFlash(request, env, url.pathname)
  const person: Person = { user: ctx.user && menuUser(ctx.user), theme: readTheme(request) }
  const token = await readCartToken(request, env)
  const { cart, removedNames } = await getCart(ctx, token, listCartStates).catch((error: unknown) => {
    throw toPersonError(ctx, error, person)
  })
  const headers = new Headers()
  if (flash) headers.append('Set-Cookie', await clearFlashHeader(env))
  return data({ cart, removedNames, flash, ...person, origin: env.publicOrigin }, { headers })
})

/** What the frame keeps when nothing else can be loaded. */
type Person = { user: MenuUser | null; theme: Theme }

/** An error page on which the person stays signed in, in their theme. */
function toPersonError(ctx: Context, error: unknown, person: Person): unknown {
  const { code, message, retryAfter } = toAppError(error)
  ctx.log.error({ err: error, code, requestId: ctx.requestId }, 'cart failed')
  return data<PageError & Person>({ code, message, retryAfter, ...person }, { status: httpStatus(code) })
}

/** Only the error of the root's own loader has one. */
const findPerson = (error: unknown): Partial<Person> => {
  const payload: unknown = isRouteErrorResponse(error) ? error.data : null
  return payload && typeof payload === 'object' && 'user' in payload ? (payload as Person) : {}
}

/**
 * The signed-in user, as the header shows them. Every page contains this, so it has nothing else.
 */
const menuUser = (user: SessionUser): MenuUser => ({
  name: displayName(user),
  email: user.email,
  initial: ([...(user.firstName || user.email)][0] ?? '').toUpperCase(),
  isStaff: isStaff(user),
})

/**
 * Applies `localStorage['theme']` before the first paint, even when the server got no theme cookie.
 * When the browser denies storage, reading it throws and the server's theme stays.
 */
const themeScript = `try{var t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme='pharma-'+t}catch{}`

export function Layout({ children }: { children: React.ReactNode }) {
  const nonce = use(NonceContext)
  const serverTheme = useRouteLoaderData<typeof loader>('root')?.theme ?? 'light'
  // An error boundary re-renders the document, possibly without the server's theme. `theme-color`
  // keeps the server's value here, or React would add a second tag; ThemeSwitch updates it.
  const theme = import.meta.env.SSR ? serverTheme : activeTheme()
  return (
    <html lang="en" data-theme={`pharma-${theme}`} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={themeColors[serverTheme]} />
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: themeScript }} />
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
 * root's loader too. Only an effect sets it, so never on the server, where it would be another
 * person's.
 */
let lastFrame: Pick<Route.ComponentProps['loaderData'], 'cart' | 'theme' | 'user'> | null = null

export default function App({ loaderData }: Route.ComponentProps) {
  const { cart, theme, flash, removedNames, user } = loaderData
  useCartMirror(cart)
  useEffect(() => {
    lastFrame = { cart, theme, user }
  }, [cart, theme, user])
  // The back office has its own frame.
  if (useMatches().some(({ id }) => id === 'routes/admin/layout')) return <Outlet />
  return (
    <SiteLayout cart={cart} theme={theme} flash={flash} removedNames={removedNames} user={user}>
      <Outlet />
    </SiteLayout>
  )
}

/**
 * What fails outside the shop's pages and the back office, or when the root's own loader failed. A
 * failed navigation keeps the data of the page before it.
 */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const loaded = useRouteLoaderData<typeof loader>('root')
  const {
    cart = null,
    theme = 'light',
    flash,
    removedNames,
    user = null,
  } = { ...lastFrame, ...findPerson(error), ...loaded }
  return (
    <SiteLayout cart={cart} theme={theme} flash={flash} removedNames={removedNames} user={user}>
      <RouteError error={error} isTitled />
    </SiteLayout>
  )
}
