/** A value of a span. Never a path, a query, a person, a parameter or anything that was typed. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export type SpanStart = {
  /** A name from the code: a route's pattern, a job, a provider's method. */
  name: string
  kind?: 'internal' | 'server' | 'client'
  attributes?: SpanAttributes
  /** The `traceparent` header of a trusted proxy. */
  parent?: string | undefined
}

/** Sets values that are known only at the end. */
export type OpenSpan = { set: (attributes: SpanAttributes) => void }

/** Where spans go (`server/integrations/tracing`). */
export type Tracer = {
  /** Runs `work` in a span below the active one. The span of a promise ends with it. */
  trace: <T>(start: SpanStart, work: (span: OpenSpan) => T) => T
  /** The active trace's id, for the log. */
  traceId: () => string | null
  /** Sends what is left, for two seconds at most. */
  close: () => Promise<void>
}

const noSpan: OpenSpan = { set: () => {} }

let tracer: Tracer | null = null

/** For this process. Null, the default, turns tracing off. */
export const setTracer = (value: Tracer | null): void => void (tracer = value)

export const isTracing = (): boolean => tracer !== null
export const activeTraceId = (): string | null => tracer?.traceId() ?? null

/** Runs `work` in a span, or without one when the shop does not trace. */
export const trace = <T>(start: SpanStart, work: (span: OpenSpan) => T): T =>
  tracer ? tracer.trace(start, work) : work(noSpan)

/**
 * The same object, whose methods run in spans named `prefix.method`. Arguments and results are not
 * recorded. Without tracing, it is returned as it is.
 */
export function traceCalls<T extends object>(prefix: string, target: T): T {
  if (!isTracing()) return target
  return new Proxy(target, {
    get: (object, key) => {
      const value: unknown = Reflect.get(object, key)
      const name = `${prefix}.${String(key)}`
      if (typeof value === 'object' && value !== null) return traceCalls(name, value)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown =>
        trace({ name, kind: 'client' }, (): unknown => Reflect.apply(value, object, args))
    },
  })
}
