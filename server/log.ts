import { pino, type Logger } from 'pino'
import { activeTraceId } from './tracing.ts'

export type { Logger }

/**
 * Structured log lines on stdout. Paths are logged without their query, because searches can reveal
 * health data. The names below are redacted in every object.
 */
export function createLog(level: string, destination?: { write(line: string): void }): Logger {
  const secrets = [
    'cookie',
    'authorization',
    'set-cookie',
    'password',
    'token',
    'secret',
    'email',
    'q',
    'query',
  ]
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`]),
        censor: '[redacted]',
      },
      serializers: { err: describeError },
      mixin: () => {
        const traceId = activeTraceId()
        return traceId === null ? {} : { trace_id: traceId }
      },
    },
    destination ?? pino.destination({ fd: 1, sync: false }),
  )
}

/**
 * An error without extra properties: drivers attach parameters and rows, which can be personal
 * data.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error ? String(error.code) : undefined
  return {
    type: error.name,
    message: error.message,
    ...(code && { code }),
    ...(error.cause instanceof Error && { cause: joinMessages(error.cause) }),
    stack: error.stack,
  }
}

/** The messages of an error and its causes, outermost first. */
const joinMessages = (error: Error, depth = 3): string =>
  error.cause instanceof Error && depth > 0
    ? `${error.message} < ${joinMessages(error.cause, depth - 1)}`
    : error.message
