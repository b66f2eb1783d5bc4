import { adminPaths } from '#domain/admin-paths.ts'
import { Link } from '../../../render/Link.tsx'
import { Alert } from '../../../ui/Alert.tsx'

/** Warns admins, who can change it, that no order with prescription medicines ships. */
export const SecondChecksWarning = ({ isOnSettings = false }: { isOnSettings?: boolean }) => (
  <div className="mb-4">
    <Alert kind="warning" title="Orders with prescription medicines can’t ship">
      <p>
        The second check needs two active pharmacists with a recorded license. Record another license on a
        pharmacist’s page, or turn the check off
        {isOnSettings ? null : (
          <>
            {' '}
            in the{' '}
            <Link to={adminPaths.shopSettings} className="text-link">
              shop settings
            </Link>
          </>
        )}
        .
      </p>
    </Alert>
  </div>
)
