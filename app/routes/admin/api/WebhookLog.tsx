import { deliveryStateLabels, type DeliveryState } from '#domain/webhooks/webhook-events.ts'
import type { WebhookList } from '#server/webhooks/list-webhooks.ts'
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx'
import { Table } from '../frame/Table.tsx'
import { RowForm } from './EndpointList.tsx'
import { formatUtc } from '../frame/format-date-time.ts'

const tones = {
  pending: 'neutral',
  delivered: 'success',
  failed: 'error',
} as const satisfies Record<DeliveryState, BadgeTone>

/** What was sent, newest first. */
export const WebhookLog = ({ deliveries }: { deliveries: WebhookList['deliveries'] }) =>
  deliveries.length === 0 ? (
    <p className="card p-4 text-muted">No deliveries.</p>
  ) : (
    <Table label="Deliveries" headers={['Time', 'Event', 'Endpoint', 'State', 'Reply', 'Tries', 'Action']}>
      {deliveries.map(({ id, eventId, type, url, state, attempts, nextAt, createdAt, ...last }) => (
        <tr key={id}>
          <td className="whitespace-nowrap">{formatUtc(createdAt)}</td>
          <th scope="row" className="font-normal">
            {type}
            <code className="block text-muted">{eventId}</code>
          </th>
          <td className="break-all">{url}</td>
          <td>
            <Badge tone={tones[state]}>{deliveryStateLabels[state]}</Badge>
            {state === 'pending' && attempts > 0 && nextAt ? (
              <span className="block text-muted">until {formatUtc(nextAt)}</span>
            ) : null}
          </td>
          <td>{last.lastStatus ?? last.lastError ?? '–'}</td>
          <td className="tabular-nums">{attempts}</td>
          <td>
            {state === 'pending' ? (
              '–'
            ) : (
              <RowForm id={id} intent="send-again">
                Send again
              </RowForm>
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
