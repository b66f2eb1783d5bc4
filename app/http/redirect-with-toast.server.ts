import { redirect, type RouterContextProvider } from 'react-router'
import { flashHeader, type Flash } from './cookies.server.ts'
import { requestContext } from './request-context.server.ts'

type Options = {
  status?: 302 | 303
  /** A cookie to set besides the toast's. */
  cookie?: string
  /** React Router's `redirectDocument` for a full page load. */
  redirectTo?: typeof redirect
}

/** Redirects, with a toast for the next page. */
export async function redirectWithToast(
  { context }: { context: Readonly<RouterContextProvider> },
  path: string,
  flash: Flash,
  { status = 303, cookie, redirectTo = redirect }: Options = {},
): Promise<Response> {
  const { env } = context.get(requestContext)
  const headers = new Headers()
  if (cookie !== undefined) headers.append('Set-Cookie', cookie)
  headers.append('Set-Cookie', await flashHeader(flash, env))
  return redirectTo(path, { status, headers })
}
