import { can, isStaff, lacksRequiredFactor, type Permission } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { withoutControlCharacters } from '#domain/grid.ts'
import { paths } from '#domain/paths.ts'
import type { Context } from '#server/context.ts'
import { noteRefusal } from '#server/note-refusal.ts'
import { createContext, redirect, type RouterContextProvider } from 'react-router'
import { readForm, getText, withFormFailure } from './form-action.server.ts'
import { pageLoader } from './page-loader.server.ts'
import { getContext } from './request-context.server.ts'

type LoaderArgs = { request: Request; context: Readonly<RouterContextProvider> }

/**
 * A loader of a back-office page, for staff with one of these permissions, or of any role. It
 * redirects customers and visitors to the home page (specification, section 6), and staff without
 * the required second factor to the page that sets it up. Other staff get a 403. Each page has the
 * check, because the router can call a single loader.
 */
export const adminLoader = <Args extends LoaderArgs, Result>(
  permission: Permission | readonly Permission[] | 'any',
  load: (ctx: Context, args: Args) => Promise<Result>,
) =>
  pageLoader(async (args: Args): Promise<Result> => {
    const ctx = getContext(args)
    const { user } = ctx
    if (!isStaff(user) || lacksRequiredFactor(user)) {
      noteRefusal(ctx)
      throw redirect(isStaff(user) ? paths.account.security : '/')
    }
    if (permission !== 'any' && ![permission].flat().some((each) => can(user, each))) {
      noteRefusal(ctx)
      throw new AppError('FORBIDDEN')
    }
    return load(ctx, args)
  })

/**
 * An action of a back-office page, for the same staff as `adminLoader`. When the session has ended
 * and a script sent the form, the page stays, with what was typed.
 */
export const adminAction =
  <Args extends LoaderArgs, Result>(
    permission: Permission | readonly Permission[],
    act: (ctx: Context, args: Args, form: FormData) => Promise<Result>,
  ) =>
  async (args: Args) =>
    isSignedOutScript(args)
      ? signedOutFailure(await readForm(args.request))
      : adminLoader(permission, async (ctx, args: Args) => act(ctx, args, await readForm(args.request)))(args)

/** The same for an action that reads an uploaded file from the request itself. */
export const adminUpload =
  <Args extends LoaderArgs, Result>(
    permission: Permission,
    act: (ctx: Context, args: Args) => Promise<Result>,
  ) =>
  async (args: Args) =>
    isSignedOutScript(args)
      ? signedOutFailure(new FormData())
      : adminLoader(permission, (ctx, args: Args) => withFormFailure(new FormData(), () => act(ctx, args)))(
          args,
        )

const isSignedOutScript = (args: LoaderArgs): boolean =>
  !getContext(args).user && new URL(args.request.url).pathname.endsWith('.data')

const signedOutFailure = (form: FormData) =>
  withFormFailure(form, () => Promise.reject(new AppError('UNAUTHENTICATED', signedOutMessage)))

const signedOutMessage = 'You’re signed out. Sign in again in another tab, then submit this form again.'

/**
 * The URL parameters that a grid's query is parsed from, the same on the server and in the browser.
 */
export const gridParams = ({ request }: LoaderArgs): Record<string, string> =>
  withoutControlCharacters(Object.fromEntries(new URL(request.url).searchParams))

const postedSearch = createContext('')

/** Reads a search that was posted without scripts, so that the page can show its results. */
export async function readPostedSearch({
  request,
  context,
}: {
  request: Request
  context: RouterContextProvider
}): Promise<null> {
  context.set(postedSearch, getText(await readForm(request), 'q')?.trim() ?? '')
  return null
}

/**
 * The parameters of a grid whose search can name people (`usePrivateGridUrl`): `q` is posted, never
 * in the URL.
 */
export function privateGridParams(args: LoaderArgs): Record<string, string> {
  const { q: _, ...params } = gridParams(args)
  const q = args.context.get(postedSearch)
  return q === '' ? params : { ...params, q }
}
