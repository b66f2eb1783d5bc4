import { reviewFilters } from '#domain/prescriptions/prescription-review.ts'
import { LinkButton } from '../../../ui/Button.tsx'

/** Which prescriptions the queue holds: links, so that each choice has an address. */
export const ReviewFilters = ({ chosen }: { chosen: string }) => (
  <nav aria-label="Which prescriptions" className="flex flex-wrap gap-1">
    {Object.entries(reviewFilters).map(([status, label]) => (
      <LinkButton
        key={status}
        kind={status === chosen ? 'secondary' : 'quiet'}
        to={status === 'under_review' ? '/admin/prescriptions' : `/admin/prescriptions?status=${status}`}
        aria-current={status === chosen ? 'true' : undefined}
        defaultShouldRevalidate={false}
      >
        {label}
      </LinkButton>
    ))}
  </nav>
)
