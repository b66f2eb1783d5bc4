import { adminPaths } from '#domain/admin-paths.ts'
import { caseFilters, type CaseFilter, type QueuePage } from '#domain/dispensing/case-queue.ts'
import { Link } from '../../../render/Link.tsx'

/** Filters the queue with links, so that each filter has a URL. */
export const CaseFilters = ({ selected, counts }: { selected: CaseFilter; counts: QueuePage['counts'] }) => (
  <nav aria-label="Filter cases" className="tab-links">
    {Object.entries(caseFilters).map(([filter, label]) => (
      <Link
        key={filter}
        to={filter === 'new' ? adminPaths.prescriptions : adminPaths.prescriptionsWith({ filter })}
        aria-current={filter === selected ? 'true' : undefined}
        defaultShouldRevalidate={false}
      >
        {label} <span className="text-muted tabular-nums">{counts[filter as CaseFilter]}</span>
      </Link>
    ))}
  </nav>
)
