import type { AppError } from '#domain/errors.ts'
import { statusOf } from '#domain/errors.ts'
import { toAppError } from '#server/errors.ts'
import { data } from 'react-router'

/** What an error page knows of a failure; nothing of what caused it. */
export type PageError = { code: AppError['code']; message: string }

/**
 * A failure as React Router's error boundary gets it: the status, the sentence, and `Retry-After` where it helps.
 * What is unexpected is thrown on, to be logged and hidden.
 */
export function asPageError(error: unknown): unknown {
  const appError = toAppError(error)
  if (error instanceof Response || appError.code === 'INTERNAL') return error
  const { code, message, retryAfter } = appError
  return data<PageError>(
    { code, message },
    {
      status: statusOf(code),
      ...(retryAfter !== undefined && { headers: { 'Retry-After': String(retryAfter) } }),
    },
  )
}

/** A loader whose errors are ours: `AppError` becomes the page of its status. */
export const pageLoader =
  <Args, Result>(load: (args: Args) => Promise<Result>) =>
  async (args: Args): Promise<Result> => {
    try {
      return await load(args)
    } catch (error) {
      throw asPageError(error)
    }
  }
