/**
 * The one list of what can go wrong. Each code has its HTTP status (contract, "/api", "Responses") and
 * the sentence shown when the thrower gave none.
 */
export const errorCodes = {
  BAD_REQUEST: { status: 400, sentence: 'The request could not be read.' },
  UNAUTHENTICATED: { status: 401, sentence: 'Please sign in.' },
  PAYMENT_REQUIRED: { status: 402, sentence: 'The payment has not succeeded.' },
  FORBIDDEN: { status: 403, sentence: 'You may not do this.' },
  NOT_FOUND: { status: 404, sentence: 'Not found.' },
  METHOD_NOT_ALLOWED: { status: 405, sentence: 'This method is not allowed here.' },
  CONFLICT: { status: 409, sentence: 'This conflicts with the present state.' },
  GONE: { status: 410, sentence: 'This is no longer here.' },
  TOO_LARGE: { status: 413, sentence: 'The request is too large.' },
  UNSUPPORTED_TYPE: { status: 415, sentence: 'This content type is not accepted.' },
  MISDIRECTED: { status: 421, sentence: 'This host is not served here.' },
  INVALID: { status: 422, sentence: 'Something in the form is not right.' },
  TOO_MANY: { status: 429, sentence: 'Too many requests. Please wait a moment.' },
  INTERNAL: { status: 500, sentence: 'Something went wrong on our side.' },
  UNAVAILABLE: { status: 503, sentence: 'The service is unavailable for a moment. Please try again.' },
  STORAGE_FULL: { status: 507, sentence: 'Nothing can be stored at the moment.' },
} as const satisfies Record<string, { status: number; sentence: string }>

export type ErrorCode = keyof typeof errorCodes

/** What a use case throws; doors render it. `fields` maps a wire name to what is wrong with it. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: Readonly<Record<string, string>>
  /** Seconds after which a retry makes sense, for TOO_MANY and UNAVAILABLE. */
  readonly retryAfter: number | undefined
  /** What stands there now, for a CONFLICT with an edit of something that has changed since it was read. */
  readonly current: unknown

  constructor(
    code: ErrorCode,
    message?: string,
    options: {
      fields?: Record<string, string>
      retryAfter?: number
      current?: unknown
      cause?: unknown
    } = {},
  ) {
    super(message ?? errorCodes[code].sentence, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.fields = options.fields ?? {}
    this.retryAfter = options.retryAfter
    this.current = options.current
  }
}

export const statusOf = (code: ErrorCode): number => errorCodes[code].status
