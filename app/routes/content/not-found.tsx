import { AppError } from '#domain/errors.ts'
import { toPageError } from '../../http/page-loader.server.ts'

/** Every path without another route. The root's error boundary shows the page. */
export const loader = () => {
  throw toPageError(new AppError('NOT_FOUND', '404 Page Not Found'))
}

export default function NotFound() {
  return null
}
