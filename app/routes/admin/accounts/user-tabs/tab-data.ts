import type { Role } from '#domain/accounts/permissions.ts'
import type { loadTab } from '../load-tab.server.ts'
import type { TabName } from '../user-labels.ts'

/** What the selected tab of a user's page shows. */
export type TabData = Awaited<ReturnType<typeof loadTab>>
export type TabDataOf<Name extends TabName> = Extract<TabData, { tab: Name }>

/** The user whose page it is. */
export type User = {
  id: string
  email: string
  roles: readonly Role[]
  createdAt: string
  hasIdDocument: boolean
}
