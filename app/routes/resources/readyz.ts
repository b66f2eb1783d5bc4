import { isReady } from '#server/readiness.ts'
import { getContext } from '../../http/request-context.server.ts'
import type { Route } from './+types/readyz'

/** 200 when the database is available and all migrations are applied, otherwise 503. */
export const loader = async (args: Route.LoaderArgs) => {
  const ready = await isReady(getContext(args))
  const headers = { 'Cache-Control': 'no-store', ...(!ready && { 'Retry-After': '5' }) }
  return new Response(ready ? 'ready\n' : 'not ready\n', { status: ready ? 200 : 503, headers })
}
