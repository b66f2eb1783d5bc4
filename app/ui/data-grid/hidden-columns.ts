import type { GridParams } from './grid-requests.ts'

/** The parameter with the hidden columns of a shared view. It wins over the stored choice. */
const name = 'hide'
const none = 'none'

/** The columns that the URL hides; null when it leaves them to the stored choice. */
export function hiddenInUrl(params: GridParams): readonly string[] | null {
  const value = params[name]
  if (value === undefined) return null
  return value === none ? [] : value.split('.')
}

export const hideInUrl = (columns: readonly string[]): GridParams => ({
  [name]: columns.length > 0 ? columns.join('.') : none,
})
