import type { CaseScreening } from '#domain/alerts/case-alert.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { AlertItem } from './LineAlerts.tsx'
import { NotChecked } from './NotChecked.tsx'

/** Alerts about lines without a prescription, and what could not be checked. */
export function OtherAlerts({ reviewCase, screening }: { reviewCase: ReviewCase; screening: CaseScreening }) {
  const prescribed = new Set(reviewCase.lines.map(({ id }) => id))
  const others = screening.alerts.filter(({ lineIds }) => !lineIds.some((id) => prescribed.has(id)))
  return (
    <>
      {others.length > 0 ? (
        <section aria-labelledby="other-alerts" className="mt-3 grid gap-2">
          <h3 id="other-alerts" className="font-semibold">
            Alerts without a prescription line
          </h3>
          <ul className="grid gap-2">
            {others.map((alert) => (
              <AlertItem key={alert.id} alert={alert} />
            ))}
          </ul>
        </section>
      ) : null}
      <NotChecked texts={screening.notChecked} />
    </>
  )
}
