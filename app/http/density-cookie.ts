import type { Density } from '../ui/data-grid/density.ts'
import { findPlainCookie } from './find-plain-cookie.ts'

export const densityCookieName = 'grid_density'
const yearSeconds = 365 * 24 * 60 * 60

/** The cookie that stores how high the rows of the grids are, read on the first render. */
export const densityCookie = (density: Density): string =>
  `${densityCookieName}=${density}; Path=/admin; Max-Age=${yearSeconds}; SameSite=Lax`

export const readDensity = (request: Request): Density =>
  findPlainCookie(request, densityCookieName) === 'compact' ? 'compact' : 'comfortable'
