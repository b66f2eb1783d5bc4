/** How Chromium, Firefox and Safari word a request that never reached us. */
export const isLostConnection = (error: unknown): boolean =>
  error instanceof TypeError && /failed to fetch|networkerror|load failed/i.test(error.message)
