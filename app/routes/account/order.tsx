import { AppError } from '#domain/errors.ts'
import { SignInPrompt } from '../../components/SignInPrompt.tsx'
import { describeError, RouteError } from '../../components/RouteError.tsx'
import { asPageError } from '../../lib/page-loader.server.ts'
import { pageMeta } from '../../lib/page-meta.ts'
import { LinkButton } from '../../ui/Button.tsx'
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

export const ErrorBoundary = ({ error, params }: Route.ErrorBoundaryProps) =>
  describeError(error).status === 404 ? (
    <SignInPrompt
      title={missing}
      returnTo={`/orders/${encodeURIComponent(params.id ?? '')}`}
      actions={<LinkButton to="/orders">My Orders</LinkButton>}
    >
      <p>There is no such order among yours. If you have ordered with an account, please sign in.</p>
    </SignInPrompt>
  ) : (
    <RouteError error={error} failure={missing} />
  )
