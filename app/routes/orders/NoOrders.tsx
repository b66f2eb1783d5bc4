import { paths } from '#domain/paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import { Package } from '../../ui/icons.tsx'

/** Shown to a signed-in customer without orders. */
export const NoOrders = () => (
  <div className="card">
    <EmptyState
      icon={<Package />}
      title="No orders yet"
      actions={
        <LinkButton kind="primary" to={paths.products}>
          Browse Medications
        </LinkButton>
      }
    >
      Your orders and their status will appear here.
    </EmptyState>
  </div>
)
