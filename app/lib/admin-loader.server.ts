import type { Context } from '#server/context.ts'
import { redirect, type RouterContextProvider } from 'react-router'
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
    if (!user?.mayAdminister) throw redirect(user?.isAdmin ? '/account/security' : '/')
    return load(ctx, args)
  })

/** What of a URL a grid's query is read from: the server and the browser say the same by it. */
export const gridParamsOf = ({ request }: LoaderArgs): Record<string, string> =>
  Object.fromEntries(new URL(request.url).searchParams)
