import { alertField, undecidedAlerts, type CaseAlert, type CaseScreening } from '#domain/alerts/case-alert.ts'
import type { CaseLine } from '#domain/dispensing/case-line.ts'
import { isUndecided } from '#domain/dispensing/dispensing.ts'
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { AlertDecisionForm } from './AlertDecisionForm.tsx'
import { ReportRow } from './ReportRow.tsx'
import type { CaseForms } from './use-case-forms.ts'

const levelBadges = {
  high: { tone: 'error', label: 'High' },
  medium: { tone: 'warning', label: 'Medium' },
  low: { tone: 'neutral', label: 'Low' },
  information: { tone: 'neutral', label: 'Information' },
} as const satisfies Record<CaseAlert['level'], { tone: BadgeTone; label: string }>

type LineAlertsProps = {
  caseId: string
  line: CaseLine
  /** The item from which the line is to be filled. */
  itemId: string | null
  screening: CaseScreening
  /** Null when the user cannot decide. */
  forms: CaseForms | null
}

/** What the lists say about a line, the most severe first, each high alert with its decision. */
export function LineAlerts({ caseId, line, itemId, screening, forms }: LineAlertsProps) {
  const { id: lineId, status } = line
  const candidate = line.candidates.find((each) => each.itemId === itemId)
  const own = candidate?.alerts ?? screening.alerts.filter(({ lineIds }) => lineIds.includes(lineId))
  const undecided = isUndecided(status) ? undecidedAlerts(own, lineId) : []
  // An alert that waits for a decision is never hidden.
  const isShown = (alert: CaseAlert): boolean => !alert.isFolded || undecided.includes(alert)
  const folded = own.filter((alert) => !isShown(alert))
  const list = (alerts: readonly CaseAlert[]) => (
    <ul className="grid gap-2">
      {alerts.map((alert) => (
        <AlertItem key={alert.id} alert={alert}>
          {forms && undecided.includes(alert) ? (
            <AlertDecisionForm
              alert={alert}
              line={line}
              itemId={candidate?.alerts ? candidate.itemId : ''}
              forms={forms}
              error={forms.errorsOf('clear', lineId)[alertField(alert.id)]}
            />
          ) : null}
          {forms ? <ReportRow alert={alert} caseId={caseId} /> : null}
        </AlertItem>
      ))}
    </ul>
  )
  return (
    <section aria-label={`Alerts for ${line.product.name}`} className="grid gap-2">
      {own.length === 0 ? <NoEntry screening={screening} /> : list(own.filter(isShown))}
      {folded.length > 0 ? (
        <Disclosure summary={`${folded.length} more ${folded.length === 1 ? 'alert' : 'alerts'}`}>
          {list(folded)}
        </Disclosure>
      ) : null}
    </section>
  )
}

/** An alert with its sources and the newest decision on it. */
export const AlertItem = ({ alert, children }: { alert: CaseAlert; children?: React.ReactNode }) => {
  const { title, fact, level, sources, decision } = alert
  const badge = levelBadges[level]
  return (
    <li className={`card grid gap-1 p-2 ${level === 'high' ? 'border-error' : ''}`}>
      <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
        <Badge tone={badge.tone}>{badge.label}</Badge> {title}
      </p>
      <p>{fact}</p>
      {sources.map(({ id, text, quote, href }) => (
        <p key={id} className="text-sm text-muted wrap-anywhere">
          {quote === null ? null : <>“{quote}” </>}
          {text}
          {href === null ? null : (
            <>
              {' · '}
              <a href={href} rel="noreferrer" target="_blank" className="text-link">
                Label at DailyMed
              </a>
            </>
          )}
        </p>
      ))}
      {decision ? (
        <p className="wrap-anywhere">
          <b>{decision.isCurrent ? 'Decided' : 'Decided before, but it no longer counts'}</b>{' '}
          {formatDay(decision.at)} by {decision.by}: {decision.text}
        </p>
      ) : null}
      {children}
    </li>
  )
}

/** Says that there is no alert, and which lists were checked. */
export const NoEntry = ({ screening: { lists } }: { screening: CaseScreening }) => (
  <p className="text-muted">
    {lists.length === 0
      ? 'No list is loaded, so nothing was compared.'
      : `No entry found in the lists we check: ${lists
          .map(({ title, date }) => (date === null ? title : `${title} (${date})`))
          .join(', ')}.`}
  </p>
)
