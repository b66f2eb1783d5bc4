import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { newEndpointSchema, webhookRowSchema } from '#domain/webhooks/endpoint-input.ts'
import { needsRecentCode, withRecentCode } from '#server/accounts/recent-code.ts'
import { listWebhooks } from '#server/webhooks/list-webhooks.ts'
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  sendAgain,
} from '#server/webhooks/save-endpoint.ts'
import { useLocation } from 'react-router'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction, getText } from '../../../http/form-action.server.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { Link } from '../../../render/Link.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import type { Route } from './+types/webhooks'
import { ApiTabs } from './ApiTabs.tsx'
import { EndpointForm } from './EndpointForm.tsx'
import { EndpointList } from './EndpointList.tsx'
import { NewSecret } from './NewSecret.tsx'
import { WebhookLog } from './WebhookLog.tsx'

export const loader = adminLoader('settings.write', async (ctx) => ({
  ...(await listWebhooks(ctx)),
  formId: newId(),
  needsCode: needsRecentCode(ctx),
}))

/** By the form's intent: the use case, and what the page says before and after. */
const rowActions = {
  disable: { run: disableEndpoint, done: 'Endpoint disabled', noChange: 'This endpoint is already disabled' },
  enable: { run: enableEndpoint, done: 'Endpoint enabled', noChange: 'This endpoint is already enabled' },
  delete: { run: deleteEndpoint, done: 'Endpoint deleted', noChange: 'This endpoint was already deleted' },
  'send-again': {
    run: sendAgain,
    done: 'It will be sent again',
    noChange: 'Not sent again: it’s already queued, or its endpoint is disabled',
  },
} as const

export const action = adminAction('settings.write', async (ctx, args: Route.ActionArgs, form) => {
  const intent = getText(form, 'intent')
  if (intent === 'create')
    return formAction(
      form,
      newEndpointSchema,
      async ({ code, ...input }) => {
        const secret = await createEndpoint(await withRecentCode(ctx, code), input)
        return { created: { url: input.url, secret } }
      },
      ctx,
    )
  const found = Object.entries(rowActions).find(([name]) => name === intent)
  if (!found) throw new AppError('BAD_REQUEST')
  const [, { run, done, noChange }] = found
  return formAction(form, webhookRowSchema, async ({ id }) => {
    const title = (await run(ctx, id)) ? done : noChange
    return redirectWithToast(args, adminPaths.webhooks, {
      kind: title === done ? 'success' : 'error',
      title,
    })
  })
})

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

/** Where the shop sends its events, and what it sent. */
export default function Webhooks({ loaderData, actionData }: Route.ComponentProps) {
  const { endpoints, deliveries, formId, needsCode } = loaderData
  const { key } = useLocation()
  const created = actionData && 'created' in actionData ? actionData.created : null
  const failure = actionData && !('created' in actionData) ? actionData : null
  // The forms of the rows send an id, too: that of their row.
  const sentId = failure?.intent === 'create' ? failure.values['id'] : undefined
  return (
    <AdminPage title="Webhooks">
      <ApiTabs current={adminPaths.webhooks} />
      <p className="mb-4 max-w-3xl text-muted">
        The shop posts an event to each endpoint when an order or the stock changes. Each request is signed by
        Standard Webhooks. An event has ids, statuses and quantities, and no names: a program reads the rest
        with an{' '}
        <Link to={adminPaths.apiKeys} className="text-link">
          API key
        </Link>
        . The shop tries ten times within about a day.
      </p>
      {/* Each response remounts the forms. */}
      <div key={key} className="space-y-8">
        {created ? (
          <NewSecret title="Endpoint created" label="secret" secret={created.secret}>
            Copy the secret for {created.url} now. The shop does not show it again.
          </NewSecret>
        ) : null}
        <section className="space-y-3">
          <h2 className="font-semibold">Endpoints</h2>
          <EndpointList endpoints={endpoints} />
        </section>
        <section className="space-y-3">
          <h2 className="font-semibold">Add an endpoint</h2>
          {/* A failed form keeps its id: the endpoint may exist. */}
          <EndpointForm id={sentId ?? formId} needsCode={needsCode} failure={failure} />
        </section>
        <section className="space-y-3">
          <h2 className="font-semibold">Last 100 deliveries</h2>
          <WebhookLog deliveries={deliveries} />
        </section>
      </div>
    </AdminPage>
  )
}
