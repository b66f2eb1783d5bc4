import { httpStatus, type AppError } from '#domain/errors.ts'
import { toAppError } from '#server/errors.ts'
import { data, isRouteErrorResponse, type RouterContextProvider } from 'react-router'
import { getContext } from './request-context.server.ts'
import { logOutage } from './log-outage.server.ts'

/** What an error page shows. It contains nothing about the cause. */
export type PageError = { code: AppError['code']; message: string; retryAfter?: number | undefined }

/**
 * An error as React Router's error boundary receives it: the status and the message. Unexpected
 * errors are returned unchanged, to be logged and hidden.
 */
export function toPageError(error: unknown): unknown {
  const appError = toAppError(error)
  if (error instanceof Response || appError.code === 'INTERNAL') return error
  const { code, message, retryAfter } = appError
  return data<PageError>({ code, message, retryAfter }, { status: httpStatus(code) })
}

/**
 * The `Retry-After` of a failed page, in seconds, when one of its errors has one. The router drops
 * the headers of an error, so the document sets them.
 */
export function findRetryAfter(errors: Record<string, unknown> | null): number | undefined {
  for (const error of Object.values(errors ?? {})) {
    if (!isRouteErrorResponse(error)) continue
    const payload: unknown = error.data
    const seconds =
      payload && typeof payload === 'object' && 'retryAfter' in payload ? payload.retryAfter : undefined
    if (typeof seconds === 'number') return seconds
  }
  return undefined
}

/** A loader whose `AppError`s become the error page of their status. */
export const pageLoader =
  <Args extends { context: Readonly<RouterContextProvider> }, Result>(
    load: (args: Args) => Promise<Result>,
  ) =>
  async (args: Args): Promise<Result> => {
    try {
      return await load(args)
    } catch (error) {
      logOutage(getContext(args), error)
      throw toPageError(error)
    }
  }
