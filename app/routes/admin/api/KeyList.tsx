import { permissionTable } from '#domain/accounts/permissions.ts'
import type { KeyRestriction, ListedKey } from '#server/api-keys/list-keys.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { formatUtc } from '../frame/format-date-time.ts'
import { RowForm } from './EndpointList.tsx'

const badges = {
  active: { tone: 'success', label: 'Active' },
  refused: { tone: 'warning', label: 'Refused' },
  'no-two-step': { tone: 'warning', label: 'Restricted' },
  'missing-permissions': { tone: 'warning', label: 'Restricted' },
  expired: { tone: 'warning', label: 'Expired' },
  revoked: { tone: 'warning', label: 'Revoked' },
} as const satisfies Record<ListedKey['status'] | KeyRestriction, object>

const restrictionMessages: Record<KeyRestriction, string | null> = {
  refused: 'Every call is refused: the account of its creator is suspended or deleted.',
  'no-two-step': 'Its permissions are not available until its creator turns on two-step sign-in.',
  // Beside each permission.
  'missing-permissions': null,
}

export const KeyList = ({ keys }: { keys: readonly ListedKey[] }) =>
  keys.length === 0 ? (
    <p className="card p-4 text-muted">No API keys.</p>
  ) : (
    <ul className="grid max-w-3xl gap-3">
      {keys.map((key) => (
        <li key={key.id} className="card grid gap-2 p-4">
          <div className="flex flex-wrap items-center gap-2">
            <h3 className="font-semibold break-all">{key.name}</h3>
            <Badge tone={badges[key.restriction ?? key.status].tone}>
              {badges[key.restriction ?? key.status].label}
            </Badge>
          </div>
          <p>
            <code className="break-all">{key.prefix}…</code>
          </p>
          <ul className="list-inside list-disc">
            {key.permissions.map((name) => (
              <li key={name}>
                {permissionTable[name].label}
                {key.restriction === 'missing-permissions' && key.unavailable.includes(name)
                  ? ' (not available: its creator lacks this permission)'
                  : null}
              </li>
            ))}
          </ul>
          {key.restriction && restrictionMessages[key.restriction] ? (
            <p>{restrictionMessages[key.restriction]}</p>
          ) : null}
          <p className="text-muted">
            Created by {key.createdBy}, {formatUtc(key.createdAt)}. Expires {formatUtc(key.expiresAt)}.{' '}
            {key.lastUsedAt ? `Last used ${formatUtc(key.lastUsedAt)}.` : 'Never used.'}
          </p>
          {key.status === 'expired' || key.status === 'revoked' ? null : (
            <details>
              <summary className="btn btn-ghost -ms-2.5">Revoke…</summary>
              <div className="grid gap-2 py-2">
                <p>Programs that use “{key.name}” will be refused immediately. You can’t undo this.</p>
                <RowForm id={key.id} intent="revoke" kind="danger">
                  Revoke API key
                </RowForm>
              </div>
            </details>
          )}
        </li>
      ))}
    </ul>
  )
