import type { Density } from '../ui/data-grid/density.ts'

export const densityCookieName = 'grid_density'
const yearSeconds = 365 * 24 * 60 * 60

/** The cookie that stores how high the rows of the grids are, read on the first render. */
export const densityCookie = (density: Density): string =>
  `${densityCookieName}=${density}; Path=/admin; Max-Age=${yearSeconds}; SameSite=Lax`

export const readDensity = (request: Request): Density =>
  (request.headers.get('cookie') ?? '')
    .split(';')
    .some((cookie) => cookie.trim() === `${densityCookieName}=compact`)
    ? 'compact'
    : 'comfortable'
