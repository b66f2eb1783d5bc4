import { paths } from '#domain/paths.ts'
import { isSafeMethod } from './middleware/same-origin.ts'

/** What decides where a request's reads that tolerate lag go. */
export type ReadRequest = {
  method: string
  path: string
  isSignedIn: boolean
  /** Whether the browser just changed something. */
  hasWriteMark: boolean
  /** Browsers send `Sec-Fetch-Site`. */
  isBrowser: boolean
}

/** tRPC sends its queries as POST. Its mutations read the primary (server/trpc/init.ts). */
const isCall = (path: string): boolean => path.startsWith(`${paths.trpc}/`)

/** Whether a request changes something, as far as its address and method tell. */
export const isWrite = ({ method, path }: Pick<ReadRequest, 'method' | 'path'>): boolean =>
  !isSafeMethod(method) && !isCall(path)

/**
 * Whether a request may read the replica. A person who just wrote reads the primary: a browser
 * keeps a mark, and another signed-in client may keep no cookies, so it always does.
 */
export const mayReadReplica = (request: ReadRequest): boolean =>
  !isWrite(request) && !request.hasWriteMark && (request.isBrowser || !request.isSignedIn)
