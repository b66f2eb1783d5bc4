import { AppError } from '#domain/errors.ts'
import { apiLoader, onlyMethods } from '../../lib/api.server.ts'

/** Nobody can sign in yet, so nobody is. */
export const loader = apiLoader(async () => {
  throw new AppError('UNAUTHENTICATED')
})

export const action = onlyMethods('GET')
