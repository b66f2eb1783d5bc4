import { paths } from '#domain/paths.ts'
import type { Ref } from 'react'
import { useLocation } from 'react-router'
import { LogoMark } from '../../../components/Logo.tsx'
import { PanelLeft } from '../../../ui/admin-icons.tsx'
import { ArrowLeft } from '../../../ui/icons.tsx'
import { Link } from '../../../render/Link.tsx'
import { isCurrentPage, pages } from './pages.ts'
import { useCan } from './use-can.ts'

type SidebarProps = { ref: Ref<HTMLElement>; isOpen: boolean; onToggle: () => void }

/**
 * The back-office links. On wide screens, a column of 16 rem, or 3 rem when collapsed; a tooltip
 * then shows each name. On narrow ones, a native popover, which opens without scripts.
 */
export function Sidebar({ ref, isOpen, onToggle }: SidebarProps) {
  const { pathname } = useLocation()
  const can = useCan()
  const allowed = pages.filter(({ permission }) => permission === null || can(permission))
  return (
    <aside
      ref={ref}
      id="sidebar"
      popover="auto"
      aria-label="Sidebar"
      className="sidebar"
      data-collapsed={!isOpen}
    >
      <div className="flex min-h-14 items-center border-b border-line">
        <span className="sidebar-word flex items-center gap-2 ps-3.5 text-base font-bold tracking-tight">
          <LogoMark className="size-7" />
          Meridian
        </span>
        <button
          type="button"
          className="btn btn-ghost btn-square ms-auto me-1.5 max-md:hidden"
          aria-label={isOpen ? 'Collapse sidebar' : 'Expand sidebar'}
          aria-expanded={isOpen}
          title={`${isOpen ? 'Collapse' : 'Expand'} sidebar (Ctrl or Cmd B)`}
          onClick={onToggle}
        >
          <PanelLeft />
        </button>
      </div>
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
    </aside>
  )
}
