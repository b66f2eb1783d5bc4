import { paths } from '#domain/paths.ts'
import { reviewFilters } from '#domain/prescriptions/prescription-review.ts'
import { LinkButton } from '../../../ui/Button.tsx'

/** Filters the queue by status, with links so that each filter has a URL. */
export const ReviewFilters = ({ selected }: { selected: string }) => (
  <nav aria-label="Filter by status" className="flex flex-wrap gap-1">
    {Object.entries(reviewFilters).map(([status, label]) => (
      <LinkButton
        key={status}
        kind={status === selected ? 'secondary' : 'quiet'}
        to={
          status === 'under_review'
            ? paths.admin.prescriptions
            : paths.admin.prescriptionsWith({ status: status })
        }
        aria-current={status === selected ? 'true' : undefined}
        defaultShouldRevalidate={false}
      >
        {label}
      </LinkButton>
    ))}
  </nav>
)
