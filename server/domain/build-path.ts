/** Values of a query; null, undefined and empty values are left out. */
export type Query = Readonly<Record<string, string | number | null | undefined>>

/** A path with a query; null, undefined and empty values are left out. */
export function withQuery(path: string, query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') params.set(name, String(value))
  }
  // `%20`, as browsers' own address bars and `encodeURIComponent` write a space.
  const search = params.toString().replaceAll('+', '%20')
  return search === '' ? path : `${path}?${search}`
}

/** A value as one segment of a path. */
export const segment = encodeURIComponent
