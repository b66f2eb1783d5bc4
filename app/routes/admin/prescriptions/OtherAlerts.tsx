import type { CaseScreening } from '#domain/alerts/case-alert.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { AlertItem } from './LineAlerts.tsx'

/** Alerts about lines without a prescription. */
export function OtherAlerts({ reviewCase, screening }: { reviewCase: ReviewCase; screening: CaseScreening }) {
  const prescribed = new Set(reviewCase.lines.map(({ id }) => id))
  const others = screening.alerts.filter(({ lineIds }) => !lineIds.some((id) => prescribed.has(id)))
  if (others.length === 0) return null
  return (
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
  )
}
