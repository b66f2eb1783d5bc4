import { paths } from '#domain/paths.ts'
import { useLocation } from 'react-router'
import { LogoMark } from '../../../components/Logo.tsx'
import { PanelLeft } from '../../../ui/admin-icons.tsx'
import { ArrowLeft } from '../../../ui/icons.tsx'
import { Link } from '../../../render/Link.tsx'
import { isCurrentPage, pages } from './pages.ts'
import { useCan } from './use-can.ts'

/** The back-office links. While the sidebar is collapsed, a tooltip shows each name. */
export function SidebarLinks({ isOpen = true }: { isOpen?: boolean }) {
  const { pathname } = useLocation()
  const can = useCan()
  const allowed = pages.filter(({ permission }) => permission === null || can(permission))
  return (
    <nav aria-label="Back office" className="flex flex-1 flex-col py-2">
      {allowed.map(({ path, name, icon: Icon }) => (
        <Link
          key={path}
          to={path}
          className="sidebar-link"
          aria-current={isCurrentPage(path, pathname) ? 'page' : undefined}
          {...(!isOpen && { 'aria-label': name, title: name })}
        >
          <Icon />
          <span className="sidebar-word">{name}</span>
        </Link>
      ))}
      <Link
        to={paths.home}
        className="sidebar-link mt-auto"
        {...(!isOpen && { 'aria-label': 'Back to the shop', title: 'Back to the shop' })}
      >
        <ArrowLeft />
        <span className="sidebar-word">Back to the shop</span>
      </Link>
    </nav>
  )
}

type SidebarProps = { isOpen: boolean; onToggle: () => void }

/** The sidebar of wide screens: 16 rem wide, 3 rem when collapsed. */
export const Sidebar = ({ isOpen, onToggle }: SidebarProps) => (
  <aside aria-label="Sidebar" className="sidebar" data-collapsed={!isOpen}>
    <div className="flex min-h-14 items-center border-b border-line">
      <span className="sidebar-word flex items-center gap-2 ps-3.5 text-base font-bold tracking-tight">
        <LogoMark className="size-7" />
        Meridian
      </span>
      <button
        type="button"
        className="btn btn-ghost btn-square ms-auto me-1.5"
        aria-label={isOpen ? 'Collapse sidebar' : 'Expand sidebar'}
        aria-expanded={isOpen}
        title={`${isOpen ? 'Collapse' : 'Expand'} sidebar (Ctrl or Cmd B)`}
        onClick={onToggle}
      >
        <PanelLeft />
      </button>
    </div>
    <SidebarLinks isOpen={isOpen} />
  </aside>
)
