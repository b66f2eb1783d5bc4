import { disabledReasonLabels, webhookTopics } from '#domain/webhooks/webhook-events.ts'
import type { WebhookList } from '#server/webhooks/list-webhooks.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { formatUtc } from '../frame/format-date-time.ts'

type Endpoint = WebhookList['endpoints'][number]

export const EndpointList = ({ endpoints }: { endpoints: readonly Endpoint[] }) =>
  endpoints.length === 0 ? (
    <p className="card p-4 text-muted">No endpoints.</p>
  ) : (
    <ul className="grid max-w-3xl gap-3">
      {endpoints.map((endpoint) => (
        <li key={endpoint.id} className="card grid gap-2 p-4">
          <h3 className="font-semibold break-all">{endpoint.url}</h3>
          <p className="flex flex-wrap items-center gap-2 text-muted">
            {webhookTopics[endpoint.topic].label}, since {formatUtc(endpoint.createdAt)}
            <State endpoint={endpoint} />
          </p>
          {endpoint.isRefused ? (
            <p className="font-medium text-error">
              The shop doesn’t send to this address: it must start with https:// and be on the public
              internet, without a port. Add an endpoint with such an address, give its secret to the receiver,
              and delete this one.
            </p>
          ) : null}
          <div className="flex flex-wrap items-start gap-2">
            <RowForm id={endpoint.id} intent={endpoint.disabledReason ? 'enable' : 'disable'}>
              {endpoint.disabledReason ? 'Enable' : 'Disable'}
            </RowForm>
            <details>
              <summary className="btn btn-ghost">Delete…</summary>
              <div className="grid gap-2 py-2">
                <p>Its secret and its log will be deleted too. You can’t undo this.</p>
                <RowForm id={endpoint.id} intent="delete" kind="danger">
                  Delete endpoint
                </RowForm>
              </div>
            </details>
          </div>
        </li>
      ))}
    </ul>
  )

function State({ endpoint: { disabledReason, failingSince } }: { endpoint: Endpoint }) {
  if (disabledReason) return <Badge tone="warning">{disabledReasonLabels[disabledReason]}</Badge>
  if (failingSince) return <Badge tone="error">{`Failing since ${formatUtc(failingSince)}`}</Badge>
  return <Badge tone="success">Enabled</Badge>
}

type RowFormProps = { id: string; intent: string; kind?: 'secondary' | 'danger'; children: string }

/** One button about one row. */
export const RowForm = ({ id, intent, kind = 'secondary', children }: RowFormProps) => (
  <PostForm>
    <input type="hidden" name="id" value={id} />
    <Button name="intent" value={intent} kind={kind}>
      {children}
    </Button>
  </PostForm>
)
