/**
 * All error codes. Each has its HTTP status (contract, "/api", "Responses") and a default message.
 */
export const errorCodes = {
  BAD_REQUEST: { status: 400, sentence: 'The request could not be read.' },
  UNAUTHENTICATED: { status: 401, sentence: 'Sign in to continue.' },
  PAYMENT_REQUIRED: { status: 402, sentence: 'The payment hasn’t gone through.' },
  FORBIDDEN: { status: 403, sentence: 'You don’t have permission to do this.' },
  CODE_REQUIRED: {
    status: 403,
    sentence: 'Confirm it’s you with a code from your authenticator app, then try again.',
  },
  REASON_REQUIRED: {
    status: 403,
    sentence: 'This patient has no open case. Open their page and give a reason first.',
  },
  NOT_FOUND: { status: 404, sentence: 'Not found.' },
  METHOD_NOT_ALLOWED: { status: 405, sentence: 'This method is not allowed.' },
  CONFLICT: { status: 409, sentence: 'This has changed in the meantime. Reload and try again.' },
  CONFIRMATION_REQUIRED: { status: 409, sentence: 'Confirm this change first.' },
  GONE: { status: 410, sentence: 'This is no longer available.' },
  TOO_LARGE: { status: 413, sentence: 'The request is too large.' },
  UNSUPPORTED_TYPE: { status: 415, sentence: 'This content type is not accepted.' },
  MISDIRECTED: { status: 421, sentence: 'This host name is not recognized.' },
  INVALID: { status: 422, sentence: 'Check the fields and try again.' },
  TOO_MANY: { status: 429, sentence: 'Too many requests. Wait a moment, then try again.' },
  INTERNAL: { status: 500, sentence: 'Something went wrong on our end.' },
  UNAVAILABLE: { status: 503, sentence: 'The service is temporarily unavailable. Try again in a moment.' },
  STORAGE_FULL: { status: 507, sentence: 'We can’t save anything right now. Try again later.' },
} as const satisfies Record<string, { status: number; sentence: string }>

export type ErrorCode = keyof typeof errorCodes

/** The error of use cases; doors render it. `fields` maps wire names to messages. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: Readonly<Record<string, string>>
  /** Seconds after which a retry makes sense, for TOO_MANY and UNAVAILABLE. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    message?: string,
    options: {
      fields?: Record<string, string>
      retryAfter?: number
      cause?: unknown
    } = {},
  ) {
    super(message ?? errorCodes[code].sentence, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.fields = options.fields ?? {}
    this.retryAfter = options.retryAfter
  }
}

export const httpStatus = (code: ErrorCode): number => errorCodes[code].status
