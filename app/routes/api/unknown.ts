import { AppError } from '#domain/errors.ts'
import { apiLoader } from '../../http/api.server.ts'

export const loader = apiLoader(async () => {
  throw new AppError('NOT_FOUND')
})

export const action = loader
