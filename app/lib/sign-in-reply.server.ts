import { startSession } from '#server/accounts/start-session.ts'
import { redirect, type RouterContextProvider } from 'react-router'
import { sessionCookieHeader } from './cookies.server.ts'
import { requestContext } from './request-context.server.ts'

/** Signs this browser in as a user who has proven who they are, and leads on. */
export async function signInReply(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  userId: string,
  returnTo: string,
): Promise<Response> {
  const { ctx, env } = context.get(requestContext)
  const token = await startSession(ctx, { userId, userAgent: request.headers.get('user-agent') })
  const headers = new Headers()
  headers.append('Set-Cookie', await sessionCookieHeader(token, env))
  return redirect(returnTo, { status: 303, headers })
}
