import { createElement as h, type ReactElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { text } from 'node:stream/consumers'
// The package's own name leads to its build with warnings for development, which is slower.
import {
  createRequestHandler,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  ServerRouter,
  useLoaderData,
  type EntryContext,
  type ServerBuild,
} from '../../node_modules/react-router/dist/production/index.mjs'
import { cardNumbers, Cards } from './raw-cards.ts'

const Layout = ({ children }: { children: ReactNode }): ReactElement =>
  h(
    'html',
    { lang: 'en' },
    h('head', null, h(Meta), h(Links)),
    h('body', null, children, h(ScrollRestoration), h(Scripts)),
  )

const CardsPage = (): ReactElement => h(Cards, { numbers: useLoaderData<{ numbers: number[] }>().numbers })

const manifestEntry = (id: string, hasLoader: boolean): ServerBuild['assets']['routes'][string] => ({
  id,
  path: id === 'root' ? '' : id,
  ...(id !== 'root' && { parentId: 'root' }),
  hasLoader,
  hasAction: false,
  hasClientAction: false,
  hasClientLoader: false,
  hasClientMiddleware: false,
  hasErrorBoundary: false,
  module: `/${id}.js`,
  clientActionModule: undefined,
  clientLoaderModule: undefined,
  clientMiddlewareModule: undefined,
  hydrateFallbackModule: undefined,
})

/**
 * Renders as the shop does (`app/render/render-document.server.tsx`), which costs less than React
 * Router's own way: the data is read before rendering, and the page goes around React Router.
 */
async function render(url: string, context: EntryContext): Promise<string> {
  const { renderMeta, serverHandoffStream } = context
  if (!renderMeta || !serverHandoffStream) throw new Error('React Router no longer has a handoff stream.')
  const value = await text(serverHandoffStream)
  renderMeta.streamCache = { 0: Object.assign(Promise.resolve(), { result: { done: true, value } }) }
  context.serverHandoffStream = new ReadableStream()
  return `<!DOCTYPE html>${renderToString(h(ServerRouter, { context, url }))}`
}

const pages = new WeakMap<Response, string>()

const handle = createRequestHandler(
  {
    entry: {
      module: {
        default: async (request, status, headers, context) => {
          const response = new Response(null, { status, headers })
          pages.set(response, await render(request.url, context))
          return response
        },
      },
    },
    routes: {
      root: { id: 'root', path: '', module: { default: Outlet, Layout } },
      cards: {
        id: 'cards',
        parentId: 'root',
        path: 'cards',
        module: { default: CardsPage, loader: () => ({ numbers: cardNumbers }) },
      },
    },
    assets: {
      entry: { module: '/entry.js', imports: [] },
      routes: { root: manifestEntry('root', false), cards: manifestEntry('cards', true) },
      url: '/manifest.js',
      version: '1',
    },
    publicPath: '/',
    assetsBuildDirectory: '',
    future: { v8_middleware: true, v8_passThroughRequests: false, v8_trailingSlashAwareDataRequests: false },
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: 'lazy', manifestPath: '/__manifest' },
  },
  'production',
)

/**
 * A page of React Router alone: the raw limit's cards, in a route whose loader returns only their
 * numbers. It has nothing of the shop.
 */
export async function renderRouterCards(): Promise<string> {
  const response = await handle(new Request('http://localhost/cards'))
  const page = pages.get(response)
  if (page === undefined) throw new Error(`React Router answered ${response.status}.`)
  return page
}
