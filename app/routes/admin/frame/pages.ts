import type { Permission } from '#domain/accounts/permissions.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { Boxes, CodeXml, LayoutDashboard, Pill, Settings, Store } from '../../../ui/admin-icons.tsx'
import {
  Activity,
  CircleExclamationPoint,
  ClipboardCheck,
  ClipboardList,
  Factory,
  FileText,
  Mail,
  ShieldCheck,
  type Icon,
} from '../../../ui/icons.tsx'

type AdminPageLink = {
  path: string
  name: string
  icon: Icon
  /** What the page needs; null for every role. */
  permission: Permission | null
}

/**
 * The sidebar's links: the documented ones first, then the pages that were added later
 * (specification, section 2; settled decisions, "Pages that the text requires").
 */
export const pages: readonly AdminPageLink[] = [
  { path: adminPaths.dashboard, name: 'Dashboard', icon: LayoutDashboard, permission: null },
  { path: adminPaths.variants, name: 'Products', icon: Pill, permission: 'catalog.write' },
  { path: adminPaths.inventory, name: 'Inventory', icon: Boxes, permission: 'stock.read' },
  { path: adminPaths.manufacturers, name: 'Manufacturers', icon: Factory, permission: 'catalog.write' },
  { path: adminPaths.orders, name: 'Orders', icon: ClipboardList, permission: 'orders.read' },
  { path: adminPaths.settings, name: 'Settings', icon: Settings, permission: 'customers.read' },
  {
    path: adminPaths.prescriptions,
    name: 'Prescriptions',
    icon: FileText,
    permission: 'prescriptions.review',
  },
  { path: adminPaths.messages, name: 'Messages', icon: Mail, permission: 'prescriptions.review' },
  { path: adminPaths.alerts, name: 'Alerts', icon: CircleExclamationPoint, permission: 'records.read' },
  { path: adminPaths.pharmacies, name: 'Pharmacies', icon: Store, permission: 'pharmacies.write' },
  { path: adminPaths.records, name: 'Records', icon: ClipboardCheck, permission: 'records.read' },
  { path: adminPaths.screeningLists, name: 'Screening', icon: ShieldCheck, permission: 'lists.read' },
  { path: adminPaths.status, name: 'Status', icon: Activity, permission: 'settings.write' },
  { path: adminPaths.api, name: 'API', icon: CodeXml, permission: 'settings.write' },
]

const belowScreening = [
  adminPaths.ingredientNames,
  adminPaths.rowReports,
  adminPaths.needRows(),
  adminPaths.recalls,
  adminPaths.careImports,
]

/** Whether a sidebar link is current: on its own page and on the pages below it. */
export const isCurrentPage = (path: string, pathname: string): boolean =>
  path === adminPaths.dashboard
    ? pathname === path
    : pathname === path ||
      pathname.startsWith(`${path}/`) ||
      (path === adminPaths.screeningLists && belowScreening.some((page) => pathname.startsWith(page))) ||
      (path === adminPaths.variants && pathname.startsWith(adminPaths.products)) ||
      (path === adminPaths.settings && pathname.startsWith(adminPaths.user('')))
