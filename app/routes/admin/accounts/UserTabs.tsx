import { adminPaths } from '#domain/admin-paths.ts'
import { Link } from '../../../render/Link.tsx'
import { useCan } from '../frame/use-can.ts'
import { AddressesTab } from './user-tabs/AddressesTab.tsx'
import { MedicalTab } from './user-tabs/MedicalTab.tsx'
import { OrdersTab } from './user-tabs/OrdersTab.tsx'
import { PrescriptionsTab } from './user-tabs/PrescriptionsTab.tsx'
import { ProfileTab } from './user-tabs/ProfileTab.tsx'
import { SignInsTab } from './user-tabs/SignInsTab.tsx'
import type { TabData, User } from './user-tabs/tab-data.ts'
import { tabPermissions, tabs, type TabName } from './user-labels.ts'

/** The tabs of a user's page are links: each loads only its own data and works without scripts. */
export function UserTabs({ id, current }: { id: string; current: TabName }) {
  const can = useCan()
  const names = (Object.keys(tabs) as TabName[]).filter((name) => {
    const permission = tabPermissions[name]
    return permission === null || can(permission)
  })
  return (
    <nav aria-label="User details" className="tab-links mb-4">
      {names.map((name) => (
        <Link
          key={name}
          to={name === 'profile' ? adminPaths.user(id) : adminPaths.user(id, { tab: name })}
          preventScrollReset
          {...(name === current && { 'aria-current': 'page' })}
        >
          {tabs[name]}
        </Link>
      ))}
    </nav>
  )
}

/** The content of the selected tab. */
export function UserTabPanel({ user, tabData }: { user: User; tabData: TabData }) {
  switch (tabData.tab) {
    case 'profile':
      return <ProfileTab user={user} data={tabData} />
    case 'medical':
      return <MedicalTab data={tabData} />
    case 'addresses':
      return <AddressesTab data={tabData} />
    case 'prescriptions':
      return <PrescriptionsTab data={tabData} />
    case 'orders':
      return <OrdersTab id={user.id} data={tabData} />
    case 'sign-ins':
      return <SignInsTab id={user.id} data={tabData} />
    default:
      return tabData satisfies never
  }
}
