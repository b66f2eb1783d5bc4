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
  Users,
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
  { path: adminPaths.audit, name: 'Audit log', icon: Users, permission: 'audit.read' },
  { path: adminPaths.api, name: 'API', icon: CodeXml, permission: 'settings.write' },
]

/** Sections without a link of their own, and the one that they belong to. */
const parents: Readonly<Record<string, string>> = {
  products: 'variants',
  users: 'settings',
}

/** The second part of a path of the back office; empty for the dashboard. */
function sectionOf(path: string): string {
  const [, , name = ''] = path.split('/')
  return parents[name] ?? name
}

/** Whether a sidebar link is current: on every page of its section. */
export const isCurrentPage = (path: string, pathname: string): boolean =>
  sectionOf(path) === sectionOf(pathname)
