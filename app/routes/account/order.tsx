import { AppError } from '#domain/errors.ts'
import { useRouteLoaderData } from 'react-router'
import { SignInPrompt } from '../../components/SignInPrompt.tsx'
import { describeError, RouteError } from '../../components/RouteError.tsx'
import { asPageError } from '../../lib/page-loader.server.ts'
import { pageMeta } from '../../lib/page-meta.ts'
import { LinkButton } from '../../ui/Button.tsx'
import type { loader as rootLoader } from '../../root.tsx'
import type { Route } from './+types/order'

const missing = 'Order not found'

/** An order is shown to whose it is; to anybody else it is as if missing. */
export const loader = () => {
  throw asPageError(new AppError('NOT_FOUND', missing))
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, { title: missing, description: 'There is no such order among yours.', noindex: true })

export default function Order() {
  return null
}

export function ErrorBoundary({ error, params }: Route.ErrorBoundaryProps) {
  const user = useRouteLoaderData<typeof rootLoader>('root')?.user
  if (describeError(error).status !== 404) return <RouteError error={error} failure={missing} />
  const all = <LinkButton to="/orders">My Orders</LinkButton>
  if (user) {
    return (
      <div className="page max-w-2xl py-16 text-center">
        <h1 className="text-xl sm:text-2xl">{missing}</h1>
        <p className="mt-3 mb-6 text-muted">There is no such order among yours.</p>
        {all}
      </div>
    )
  }
  return (
    <SignInPrompt title={missing} returnTo={`/orders/${encodeURIComponent(params.id ?? '')}`} actions={all}>
      <p>There is no such order among yours. If you have ordered with an account, please sign in.</p>
    </SignInPrompt>
  )
}
