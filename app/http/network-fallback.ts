import { data, isRouteErrorResponse } from 'react-router'
import type { FormFailure } from './form-failure.ts'

/** How Chromium, Firefox and Safari word a request that never reached us. */
const isUnsent = (error: unknown): boolean =>
  error instanceof TypeError && /failed to fetch|networkerror|load failed/i.test(error.message)

/** A proxy's own page in place of our answer, as while the shop starts anew; what we say of a failure is no bare text. */
const isProxysWord = (error: unknown): boolean =>
  isRouteErrorResponse(error) && error.status >= 502 && error.status <= 504 && typeof error.data === 'string'

/** Whether a request failed before it came to us. */
export const isLostConnection = (error: unknown): boolean => isUnsent(error) || isProxysWord(error)

/** What stands for the server's answer to a form where there is none: a refusal like any other. */
export const unreachedReply: FormFailure & { message: string; unreached: true } = {
  intent: '',
  values: {},
  message: 'We were not reached. Please check your connection and try again.',
  fields: {},
  unreached: true,
}

/** Asks the server about a form; where it is not reached the page stays, for an error would take its place. */
export async function orUnreached<Answer>(serverAction: () => Promise<Answer>) {
  try {
    return await serverAction()
  } catch (error) {
    if (!isLostConnection(error)) throw error
    return data(unreachedReply, { status: 503 })
  }
}
