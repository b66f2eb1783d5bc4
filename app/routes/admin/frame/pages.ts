import type { Permission } from '#domain/accounts/permissions.ts'
import { paths } from '#domain/paths.ts'
import { Boxes, LayoutDashboard, Pill, Settings, Store } from '../../../ui/admin-icons.tsx'
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
  { path: paths.admin.dashboard, name: 'Dashboard', icon: LayoutDashboard, permission: null },
  { path: paths.admin.variants, name: 'Products', icon: Pill, permission: 'catalog.write' },
  { path: paths.admin.inventory, name: 'Inventory', icon: Boxes, permission: 'stock.read' },
  { path: paths.admin.manufacturers, name: 'Manufacturers', icon: Factory, permission: 'catalog.write' },
  { path: paths.admin.orders, name: 'Orders', icon: ClipboardList, permission: 'orders.read' },
  { path: paths.admin.settings, name: 'Settings', icon: Settings, permission: 'customers.read' },
  {
    path: paths.admin.prescriptions,
    name: 'Prescriptions',
    icon: FileText,
    permission: 'prescriptions.review',
  },
  { path: paths.admin.messages, name: 'Messages', icon: Mail, permission: 'prescriptions.review' },
  { path: paths.admin.alerts, name: 'Alerts', icon: CircleExclamationPoint, permission: 'records.read' },
  { path: paths.admin.pharmacies, name: 'Pharmacies', icon: Store, permission: 'pharmacies.write' },
  { path: paths.admin.records, name: 'Records', icon: ClipboardCheck, permission: 'records.read' },
  { path: paths.admin.screeningLists, name: 'Screening', icon: ShieldCheck, permission: 'lists.read' },
  { path: paths.admin.status, name: 'Status', icon: Activity, permission: 'settings.write' },
  { path: paths.admin.api, name: 'API', icon: FileText, permission: 'settings.write' },
]

const belowScreening = [
  paths.admin.ingredientNames,
  paths.admin.rowReports,
  paths.admin.needRows(),
  paths.admin.recalls,
  paths.admin.careImports,
]

/** Whether a sidebar link is current: on its own page and on the pages below it. */
export const isCurrentPage = (path: string, pathname: string): boolean =>
  path === paths.admin.dashboard
    ? pathname === path
    : pathname === path ||
      pathname.startsWith(`${path}/`) ||
      (path === paths.admin.screeningLists && belowScreening.some((page) => pathname.startsWith(page))) ||
      (path === paths.admin.variants && pathname.startsWith(paths.admin.products)) ||
      (path === paths.admin.settings && pathname.startsWith(paths.admin.user('')))
