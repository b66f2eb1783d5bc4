import { hasNul, nulMessage } from '#domain/clean-text.ts'
import { AppError } from '#domain/errors.ts'

/**
 * Rejects a query with a NUL character, for every route at once: some use a text of the query as it
 * is, others clean it.
 */
export function checkQuery({ url }: Request): void {
  if (!url.includes('%00')) return
  for (const [name, value] of new URL(url).searchParams) {
    if (hasNul(name)) throw new AppError('BAD_REQUEST')
    if (hasNul(value)) throw new AppError('INVALID', undefined, { fields: { [name]: nulMessage } })
  }
}
