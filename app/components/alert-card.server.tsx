import type { CustomerAlert, CustomerAlerts } from '#domain/alerts/customer-alerts.ts'
import { paths } from '#domain/paths.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { Disclosure } from '../ui/Disclosure.tsx'

/**
 * The card of alerts as HTML. It has no behavior, so the server writes it and the page inserts it:
 * no shop page loads code for it (docs/decisions/0034-alerts.md).
 */
export const renderAlertCard = (view: CustomerAlerts, padding = 'p-5'): string =>
  renderToStaticMarkup(<AlertCard {...view} padding={padding} />)

const AlertCard = ({ alerts, notChecked, lists, padding }: CustomerAlerts & { padding: string }) => {
  const folded = alerts.filter(({ isFolded }) => isFolded)
  return (
    <section aria-labelledby="alerts" className={`card ${padding}`}>
      <h2 id="alerts" className="text-lg">
        {alerts.length > 0 ? 'Before you buy' : 'No entry found in the lists we check'}
      </h2>
      {alerts.length > folded.length ? <List alerts={alerts.filter(({ isFolded }) => !isFolded)} /> : null}
      {folded.length > 0 ? (
        <Disclosure
          summary={alerts.length > folded.length ? `${folded.length} more` : `${folded.length} found`}
        >
          <List alerts={folded} />
        </Disclosure>
      ) : null}
      {notChecked.length > 0 ? (
        <Disclosure summary="Not checked">
          <ul className="list-disc space-y-1 ps-5">
            {notChecked.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Disclosure>
      ) : null}
      <p className="mt-3 text-sm text-muted">
        These lists are incomplete. If you’re unsure, ask a pharmacist. We checked:{' '}
        {lists.map(({ title, date }) => (date === null ? title : `${title} (${date})`)).join(', ')}.{' '}
        <a href={paths.howWeCheck} className="text-link">
          How we check
        </a>
      </p>
    </section>
  )
}

const List = ({ alerts }: { alerts: readonly CustomerAlert[] }) => (
  <ul className="mt-3 divide-y divide-line">
    {alerts.map((alert) => (
      <Item key={`${alert.title} ${alert.fact}`} alert={alert} />
    ))}
  </ul>
)

const Item = ({ alert: { title, fact, level, sources } }: { alert: CustomerAlert }) => (
  <li className="py-3">
    <p className={`font-semibold wrap-anywhere ${level === 'high' ? 'text-error' : ''}`}>{title}</p>
    <p>
      {fact}
      {level === 'high' || level === 'medium' ? ' Ask a pharmacist before you buy.' : ''}
    </p>
    {sources.map(({ id, text, quote, href }) => (
      <p key={id} className="mt-1 text-sm text-muted wrap-anywhere">
        {quote === null ? null : <>“{quote}” </>}
        {text}
        {href === null ? null : (
          <>
            {' · '}
            <a href={href} rel="noreferrer" className="text-link">
              Label at DailyMed
            </a>
          </>
        )}
      </p>
    ))}
  </li>
)
