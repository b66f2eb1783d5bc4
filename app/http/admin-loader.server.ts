import { withoutControlCharacters } from '#domain/grid.ts'
import { paths } from '#domain/paths.ts'
import type { Context } from '#server/context.ts'
import { createContext, redirect, type RouterContextProvider } from 'react-router'
import { readForm, textOf } from './form-action.server.ts'
import { pageLoader } from './page-loader.server.ts'
import { contextOf } from './request-context.server.ts'

type LoaderArgs = { request: Request; context: Readonly<RouterContextProvider> }

/**
 * The loader of a page of the back office. Everybody else, signed in or not, is led home (specification, section 6); an admin whom it is
 * closed to for want of a second factor is led to where that is set up. Each page asks, for a loader can be called alone.
 */
export const adminLoader = <Args extends LoaderArgs, Result>(
  load: (ctx: Context, args: Args) => Promise<Result>,
) =>
  pageLoader(async (args: Args): Promise<Result> => {
    const ctx = contextOf(args)
    const { user } = ctx
    if (!user?.canAdminister) throw redirect(user?.isAdmin ? paths.account.security : '/')
    return load(ctx, args)
  })

/** What of a URL a grid's query is read from: the server and the browser say the same by it. */
export const gridParamsOf = ({ request }: LoaderArgs): Record<string, string> =>
  withoutControlCharacters(Object.fromEntries(new URL(request.url).searchParams))

const postedSearch = createContext('')

/** What a form without scripts searched for where that stands in no address: the page that follows shows it. */
export async function searchAction({
  request,
  context,
}: {
  request: Request
  context: RouterContextProvider
}): Promise<null> {
  context.set(postedSearch, textOf(await readForm(request), 'q')?.trim() ?? '')
  return null
}

/** The same for a grid whose search names people (`usePrivateGridUrl`): it comes by a form, never by the address. */
export function privateParamsOf(args: LoaderArgs): Record<string, string> {
  const { q: _, ...params } = gridParamsOf(args)
  const q = args.context.get(postedSearch)
  return q === '' ? params : { ...params, q }
}
