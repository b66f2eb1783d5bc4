import { Badge } from '../../../ui/Badge.tsx'
import { Globe } from '../../../ui/icons.tsx'
import { SecurityCard, SecurityForm } from './SecurityForm.tsx'

type Session = {
  id: string
  device: string
  address: string
  createdAt: string
  lastSeenAt: string
  isCurrent: boolean
}

/** The browsers where the user is signed in. */
export const SessionsCard = ({ sessions }: { sessions: readonly Session[] }) => (
  <SecurityCard id="sessions" icon={<Globe />} title="Your sessions">
    <p>Where you’re signed in. If you don’t recognize a session, sign it out and change your password.</p>
    <ul className="divide-y divide-line border-y border-line">
      {sessions.map((session) => (
        <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
          <div className="min-w-0 flex-[1_1_14rem]">
            <p className="flex flex-wrap items-center gap-2">
              <b className="font-semibold">{session.device}</b>
              {session.isCurrent ? <Badge tone="primary">This browser</Badge> : null}
            </p>
            <p className="text-sm text-muted wrap-anywhere">
              From {session.address}, since <Moment iso={session.createdAt} />
              {session.isCurrent ? null : (
                <>
                  , last used <Moment iso={session.lastSeenAt} />
                </>
              )}
            </p>
          </div>
          <SecurityForm
            intent="end-session"
            hidden={{ session: session.id }}
            submitLabel={
              <>
                Sign out
                <span className="sr-only">
                  {session.isCurrent ? ' of this browser' : ` of ${session.device}`}
                </span>
              </>
            }
            pendingLabel="Signing out…"
            className=""
          />
        </li>
      ))}
    </ul>
    <SecurityForm intent="end-all-sessions" submitLabel="Sign out everywhere" pendingLabel="Signing out…" />
  </SecurityCard>
)

const date = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
})

/** "Nov 20, 2026, 17:05 UTC" */
const Moment = ({ iso }: { iso: string }) => (
  <time dateTime={iso}>
    {date.format(new Date(iso))}, {iso.slice(11, 16)} UTC
  </time>
)
