import { findPlainCookie } from './find-plain-cookie.ts'

export const sidebarCookieName = 'sidebar_state'
const weekSeconds = 7 * 24 * 60 * 60

/**
 * The cookie that stores whether the admin sidebar is open. Set when the user toggles it, read on
 * the first render (contract, "Admin frame").
 */
export const sidebarCookie = (isOpen: boolean): string =>
  `${sidebarCookieName}=${isOpen}; Path=/; Max-Age=${weekSeconds}; SameSite=Lax`

export const readSidebar = (request: Request): { isOpen: boolean } => ({
  isOpen: findPlainCookie(request, sidebarCookieName) !== 'false',
})
