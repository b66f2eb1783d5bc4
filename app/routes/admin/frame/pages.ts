import { paths } from '#domain/paths.ts'
import { Boxes, LayoutDashboard, Pill, Settings, Store } from '../../../ui/admin-icons.tsx'
import { ClipboardList, Factory, FileText, type Icon } from '../../../ui/icons.tsx'

/**
 * The sidebar's links: the documented ones first, then the pages that were added later
 * (specification, section 2; settled decisions, "Pages that the text requires").
 */
export const pages: readonly { path: string; name: string; icon: Icon }[] = [
  { path: paths.admin.dashboard, name: 'Dashboard', icon: LayoutDashboard },
  { path: paths.admin.variants, name: 'Products', icon: Pill },
  { path: paths.admin.inventory, name: 'Inventory', icon: Boxes },
  { path: paths.admin.manufacturers, name: 'Manufacturers', icon: Factory },
  { path: paths.admin.orders, name: 'Orders', icon: ClipboardList },
  { path: paths.admin.settings, name: 'Settings', icon: Settings },
  { path: paths.admin.prescriptions, name: 'Prescriptions', icon: FileText },
  { path: paths.admin.pharmacies, name: 'Pharmacies', icon: Store },
]

/** Whether a sidebar link is current: on its own page and on the pages below it. */
export const isCurrentPage = (path: string, pathname: string): boolean =>
  path === paths.admin.dashboard
    ? pathname === path
    : pathname === path ||
      pathname.startsWith(`${path}/`) ||
      (path === paths.admin.variants && pathname.startsWith(paths.admin.products)) ||
      (path === paths.admin.settings && pathname.startsWith(paths.admin.user('')))
