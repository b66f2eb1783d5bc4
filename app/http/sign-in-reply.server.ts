import { lacksRequiredFactor } from '#domain/accounts/permissions.ts'
import { paths } from '#domain/paths.ts'
import { startSecondStep, completeSignIn } from '#server/accounts/complete-sign-in.ts'
import { getSession } from '#server/accounts/get-session.ts'
import { getSessionRules } from '#server/accounts/session-rules.ts'
import type { VerifiedUser } from '#server/accounts/sign-in.ts'
import { redirect, type RouterContextProvider } from 'react-router'
import {
  clearCartHeader,
  clearSecondStepHeader,
  deviceCookieHeader,
  flashHeader,
  readCartToken,
  readDeviceTokens,
  readSecondStep,
  secondStepHeader,
  sessionCookieHeader,
} from './cookies.server.ts'
import type { ToastMessage } from '../ui/toasts.ts'
import { localPath } from './local-path.server.ts'
import { requestContext } from './request-context.server.ts'

type Args = { request: Request; context: Readonly<RouterContextProvider> }

/** Where to go after signing in: a page of this site that does not sign in or out again. */
export function signInTarget(returnTo: string | null): string {
  const path = localPath(returnTo)
  // A percent-encoded letter names the same page.
  const read = path.replaceAll(/%([2-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  )
  return /^\/(api|login|register|forgot-password|reset-password)\b/i.test(read) ? '/' : path
}

const cartMergedMessage = (joinedLines: number): ToastMessage => {
  const items = joinedLines === 1 ? '1 item' : `${joinedLines} different items`
  return {
    kind: 'info',
    title: 'Your cart was saved',
    text: `We added ${items} to the cart in your account.`,
  }
}

/**
 * Signs this browser in as a verified user and redirects. Shows `greeting` unless there is a
 * message about the cart. Throws what `completeSignIn` throws.
 */
export async function signInReply(
  { request, context }: Args,
  {
    userId,
    passwordHash,
    hasGivenFactor = false,
  }: Pick<VerifiedUser, 'userId' | 'passwordHash'> & { hasGivenFactor?: boolean },
  returnTo: string,
  greeting: ToastMessage | null = null,
): Promise<Response> {
  const { ctx, env } = context.get(requestContext)
  const cartToken = await readCartToken(request, env)
  const { token, devices, joinedLines } = await completeSignIn(ctx, {
    userId,
    passwordHash,
    hasGivenFactor,
    userAgent: request.headers.get('user-agent'),
    cartToken,
    devices: await readDeviceTokens(request, env),
  })
  const headers = new Headers()
  headers.append('Set-Cookie', await sessionCookieHeader(token, env))
  headers.append('Set-Cookie', await deviceCookieHeader(devices, env))
  if (cartToken !== null) headers.append('Set-Cookie', await clearCartHeader(env))
  if (await readSecondStep(request, env)) headers.append('Set-Cookie', await clearSecondStepHeader(env))
  const message = joinedLines > 0 ? cartMergedMessage(joinedLines) : greeting
  if (message) headers.append('Set-Cookie', await flashHeader(message, env))
  // Staff who lack the required second factor must set it up before the back office opens.
  const user = env.requireAdminMfa ? await getSession(ctx, token, getSessionRules(env)) : null
  const target = lacksRequiredFactor(user) ? paths.account.security : signInTarget(returnTo)
  return redirect(target, { status: 303, headers })
}

/**
 * After a correct password: signs in, or redirects to the second factor when the account has one.
 * The cookie `second-step` holds a one-time token that proves the first step.
 */
export async function passwordReply(
  args: Args,
  user: VerifiedUser,
  returnTo: string,
  greeting: ToastMessage | null = null,
): Promise<Response> {
  if (!user.hasSecondFactor) return signInReply(args, user, returnTo, greeting)
  const { ctx, env } = args.context.get(requestContext)
  const token = await startSecondStep(ctx, user)
  const target = signInTarget(returnTo)
  const query = target === '/' ? '' : `?returnTo=${encodeURIComponent(target)}`
  return redirect(`${paths.loginVerify}${query}`, {
    status: 303,
    headers: { 'Set-Cookie': await secondStepHeader(token, env) },
  })
}
