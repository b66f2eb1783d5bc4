import { Boxes, LayoutDashboard, Pill, Settings, Store } from '../../../ui/admin-icons.tsx'
import { ClipboardList, Factory, FileText, type Icon } from '../../../ui/icons.tsx'

/** The sidebar's links: the documented ones, then what came to them (specification, section 2; settled decisions, "Pages that the text requires"). */
export const pages: readonly { path: string; name: string; icon: Icon }[] = [
  { path: '/admin', name: 'Dashboard', icon: LayoutDashboard },
  { path: '/admin/variants', name: 'Products', icon: Pill },
  { path: '/admin/inventory', name: 'Inventory', icon: Boxes },
  { path: '/admin/manufacturers', name: 'Manufacturers', icon: Factory },
  { path: '/admin/orders', name: 'Orders', icon: ClipboardList },
  { path: '/admin/settings', name: 'Settings', icon: Settings },
  { path: '/admin/prescriptions', name: 'Prescriptions', icon: FileText },
  { path: '/admin/pharmacies', name: 'Pharmacies', icon: Store },
]

/** Whether an entry stands for the page one is on: its own, and those below it. */
export const isCurrentPage = (path: string, pathname: string): boolean =>
  path === '/admin'
    ? pathname === path
    : pathname === path ||
      pathname.startsWith(`${path}/`) ||
      (path === '/admin/variants' && pathname.startsWith('/admin/products')) ||
      (path === '/admin/settings' && pathname.startsWith('/admin/users/'))
