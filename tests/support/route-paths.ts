import routes from '#app/routes.ts'

type RouteEntry = { path?: string; index?: boolean; children?: RouteEntry[] }

const pathsOf = (entries: readonly RouteEntry[], parent = ''): string[] =>
  entries.flatMap(({ path = '', children }) => {
    const whole = path ? `${parent}/${path}` : parent
    return children ? pathsOf(children, whole) : [whole || '/']
  })

/** Every path of app/routes.ts with its parameters: `/api/prescriptions/:id`. */
export const routePaths: readonly string[] = pathsOf(routes)
