import figtree from './fonts/figtree-latin.woff2?url'
import { readCart } from '#server/cart/read-cart.ts'
import { emptyCart } from '#domain/cart.ts'
import { use } from 'react'
import { data, Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteLoaderData } from 'react-router'
import type { Route } from './+types/root'
import './app.css'
import { clearFlashHeader, readCartToken, readFlash, readTheme, type Flash } from './lib/cookies.server.ts'
import { NonceContext } from './lib/nonce.ts'
import { pageLoader } from './lib/page-loader.server.ts'
import { requestContext } from './lib/request-context.server.ts'
import { useCartMirror } from './lib/use-cart-mirror.ts'
import { describeError, RouteError } from './components/RouteError.tsx'
import { SiteLayout } from './components/SiteLayout.tsx'

export const links: Route.LinksFunction = () => [
  { rel: 'preload', href: figtree, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
]

export const loader = pageLoader(async ({ request, context }: Route.LoaderArgs) => {
  const { ctx, env } = context.get(requestContext)
  const flash = await readFlash(request, env)
  const { cart, dropped } = await readCart(ctx, await readCartToken(request, env))
  const notices: Flash[] = flash ? [flash] : []
  if (dropped.length > 0) {
    notices.push({
      kind: 'info',
      title: 'No longer offered',
      text: `${dropped.join(', ')} left your cart because it is no longer offered.`,
    })
  }
  const headers = new Headers()
  if (flash) headers.append('Set-Cookie', await clearFlashHeader(env))
  return data({ cart, notices, theme: readTheme(request), origin: env.publicOrigin }, { headers })
})

/** Obeys `localStorage['theme']` before the first paint, also where the server knew no cookie of it. */
const themeScript = `try{var t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme='pharma-'+t}catch{}`

export function Layout({ children }: { children: React.ReactNode }) {
  const nonce = use(NonceContext)
  const theme = useRouteLoaderData<typeof loader>('root')?.theme ?? 'light'
  return (
    <html lang="en" data-theme={`pharma-${theme}`} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: themeScript }} />
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

export default function App({ loaderData }: Route.ComponentProps) {
  const { cart, notices } = loaderData
  const imported = useCartMirror(cart)
  return (
    <SiteLayout cart={cart} notices={imported ? [{ kind: 'info', ...imported }, ...notices] : notices}>
      <Outlet />
    </SiteLayout>
  )
}

/** Every failure of a page, inside the shop's frame; with the cart where the root's own loader could read it. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const cart = useRouteLoaderData<typeof loader>('root')?.cart ?? emptyCart
  const { title } = describeError(error)
  return (
    <SiteLayout cart={cart} notices={[]}>
      <title>{`${title} | Meridian`}</title>
      <RouteError error={error} failure={title} />
    </SiteLayout>
  )
}
