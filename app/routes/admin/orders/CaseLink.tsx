import { adminPaths } from '#domain/admin-paths.ts'
import { Link } from '../../../render/Link.tsx'
import { useCan } from '../frame/use-can.ts'

/** The order's case, for staff who review prescriptions. */
export function CaseLink({ orderId }: { orderId: string }) {
  const can = useCan()
  if (!can('prescriptions.review')) return null
  return (
    <Link to={adminPaths.prescriptionsWith({ id: orderId })} className="text-link">
      Open the case
    </Link>
  )
}
