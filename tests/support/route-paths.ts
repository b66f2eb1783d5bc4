import routes from '#app/routes.ts'

type RouteEntry = { path?: string; index?: boolean; file: string; children?: RouteEntry[] }
/** A route's path with its parameters, and its file below `app`. */
type RoutePath = { path: string; file: string }

const pathsOf = (entries: readonly RouteEntry[], parent = ''): RoutePath[] =>
  entries.flatMap(({ path = '', file, children }) => {
    const whole = path ? `${parent}/${path}` : parent
    return children ? pathsOf(children, whole) : [{ path: whole || '/', file }]
  })

/** Every route of app/routes.ts that has no child routes. */
export const routeFiles: readonly RoutePath[] = pathsOf(routes)

/** Every path of app/routes.ts with its parameters: `/api/prescriptions/:id`. */
export const routePaths: readonly string[] = routeFiles.map(({ path }) => path)
