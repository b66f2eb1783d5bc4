import { data, isRouteErrorResponse } from 'react-router'
import { typedValues, type FormFailure } from './form-failure.ts'

/** The messages of Chromium, Firefox and Safari for a request that did not reach the server. */
const isNetworkError = (error: unknown): boolean =>
  error instanceof TypeError && /failed to fetch|networkerror|load failed/i.test(error.message)

/** A proxy's error page, as during a restart. Our own error responses are never bare text. */
const isProxyError = (error: unknown): boolean =>
  isRouteErrorResponse(error) && error.status >= 502 && error.status <= 504 && typeof error.data === 'string'

/** Whether a request failed before it reached the server. */
export const isLostConnection = (error: unknown): boolean => isNetworkError(error) || isProxyError(error)

/**
 * The response to a form when the server could not be reached. Pages handle it like any failure.
 */
export const unreachableReply: FormFailure & { message: string; isUnreachable: true } = {
  intent: '',
  values: {},
  message: 'We couldn’t connect to the server. Check your connection and try again.',
  fields: {},
  isUnreachable: true,
}

/**
 * Calls the server's action. When the connection fails, the page stays; an error would replace it.
 * @param request the submitted request, for pages that fill a form again from the reply
 */
export async function withNetworkFallback<Answer>(serverAction: () => Promise<Answer>, request?: Request) {
  const sent = request?.clone()
  try {
    return await serverAction()
  } catch (error) {
    if (!isLostConnection(error)) throw error
    const typed = sent && typedValues(await sent.formData())
    return data({ ...unreachableReply, ...typed }, { status: 503 })
  }
}
