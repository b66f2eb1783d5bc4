import { statusOf, type AppError } from '#domain/errors.ts'
import { toAppError } from '#server/errors.ts'
import { data, isRouteErrorResponse, type RouterContextProvider } from 'react-router'
import { contextOf } from './request-context.server.ts'
import { warnOfOutage } from './log-outage.server.ts'

/** What an error page knows of a failure; nothing of what caused it. */
export type PageError = { code: AppError['code']; message: string; retryAfter?: number | undefined }

/**
 * A failure as React Router's error boundary gets it: the status and the sentence.
 * What is unexpected is thrown on, to be logged and hidden.
 */
export function asPageError(error: unknown): unknown {
  const appError = toAppError(error)
  if (error instanceof Response || appError.code === 'INTERNAL') return error
  const { code, message, retryAfter } = appError
  return data<PageError>({ code, message, retryAfter }, { status: statusOf(code) })
}

/**
 * After how many seconds a failed page may be asked for again, when one of its errors says so. The router drops the
 * headers of an error, so they are set where the page is answered.
 */
export function retryAfterOf(errors: Record<string, unknown> | null): number | undefined {
  for (const error of Object.values(errors ?? {})) {
    if (!isRouteErrorResponse(error)) continue
    const said: unknown = error.data
    const seconds = said && typeof said === 'object' && 'retryAfter' in said ? said.retryAfter : undefined
    if (typeof seconds === 'number') return seconds
  }
  return undefined
}

/** A loader whose errors are ours: `AppError` becomes the page of its status. */
export const pageLoader =
  <Args extends { context: Readonly<RouterContextProvider> }, Result>(
    load: (args: Args) => Promise<Result>,
  ) =>
  async (args: Args): Promise<Result> => {
    try {
      return await load(args)
    } catch (error) {
      warnOfOutage(contextOf(args), error)
      throw asPageError(error)
    }
  }
