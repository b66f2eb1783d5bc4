import { AppError } from '#domain/errors.ts'
import { paths } from '#domain/paths.ts'
import { toAppError } from '#server/errors.ts'
import { describeError, RouteError } from '../../components/RouteError.tsx'
import { SignInPrompt } from '../../components/SignInPrompt.tsx'
import { authenticateCallback } from '../../http/authenticator.server.ts'
import { clearPendingSignInHeader, readPendingSignIn } from '../../http/cookies.server.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { passwordReply } from '../../http/sign-in-reply.server.ts'
import { LinkButton } from '../../ui/Button.tsx'
import type { Route } from './+types/login-callback'

/** Where the identity provider redirects back to. */
export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const { ctx, env } = args.context.get(requestContext)
  if (!env.oidc) throw new AppError('NOT_FOUND', '404 Page Not Found')
  try {
    const user = await authenticateCallback({ ctx, env }, args.request)
    const pending = await readPendingSignIn(args.request, env, ctx)
    const response = await passwordReply(args, user, pending?.returnTo ?? '/')
    response.headers.append('Set-Cookie', await clearPendingSignInHeader(env))
    return response
  } catch (error) {
    const { code, cause } = toAppError(error)
    // The library's error code, and nothing that the provider sent.
    const reason = cause instanceof Error && 'code' in cause ? cause.code : undefined
    ctx.log.warn({ code, reason, requestId: ctx.requestId }, 'identity provider sign-in failed')
    throw error
  }
})

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Sign In',
    description: 'Returning from your sign-in provider.',
    noindex: true,
  })

export default function Callback() {
  return null
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { status, title } = describeError(error)
  if (status !== 403 && status !== 503) return <RouteError error={error} failure={title} />
  return (
    <SignInPrompt
      title="You’re not signed in"
      returnTo="/"
      actions={<LinkButton to={paths.contact}>Contact Us</LinkButton>}
    >
      <p>{title}</p>
    </SignInPrompt>
  )
}
