import { AppError } from '#domain/errors.ts'

/** Patterns of the route table whose pictures our pages show. Static files are served earlier. */
const pictureRoutes: ReadonlySet<string> = new Set([
  '/img/v/:file',
  '/img/p/:file',
  '/api/prescriptions/:id/file',
  '/api/users/:id/id-document',
])

/**
 * Rejects image requests for anything that isn't a picture. Staff choose a product's picture by its
 * path, and each browser that shows the product requests it with its session: `/api/logout` would
 * sign out every customer who sees it.
 * https://developer.mozilla.org/docs/Web/HTTP/Headers/Sec-Fetch-Dest
 * @param patternOf the route of a path
 */
export function checkPictureRequest(
  request: Request,
  path: string,
  patternOf: (path: string) => string,
): void {
  if (request.headers.get('sec-fetch-dest') !== 'image') return
  if (!pictureRoutes.has(patternOf(path))) throw new AppError('NOT_FOUND')
}
