import { labelRoles } from '#domain/accounts/permissions.ts'
import { paths } from '#domain/paths.ts'
import { formatDay } from '../../../../components/orders/order-labels.ts'
import { useCan } from '../../frame/use-can.ts'
import { Facts } from '../Facts.tsx'
import { Card } from './Card.tsx'
import { FileLink } from './FileLink.tsx'
import type { TabDataOf, User } from './tab-data.ts'

export function ProfileTab({ user, data }: { user: User; data: TabDataOf<'profile'> }) {
  const can = useCan()
  return (
    <Card title="Profile">
      <Facts
        facts={[
          [
            'Email',
            <a key="mail" href={`mailto:${user.email}`} className="text-link">
              {user.email}
            </a>,
          ],
          ['Role', labelRoles(user.roles)],
          ['Cell phone', data.cellPhone],
          ['Home phone', data.homePhone],
          [
            'Joined',
            <time key="day" dateTime={user.createdAt}>
              {formatDay(user.createdAt)}
            </time>,
          ],
          [
            'ID document',
            !user.hasIdDocument ? (
              'No ID document uploaded yet'
            ) : can('health.read') ? (
              <FileLink key="id" href={paths.api.userIdDocument(user.id)} name="View ID document" />
            ) : (
              'On file'
            ),
          ],
        ]}
      />
    </Card>
  )
}
