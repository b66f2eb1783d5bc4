import { context, propagation, SpanKind, SpanStatusCode, trace as api, type Span } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node'
import type { Env } from '../../env.ts'
import { toAppError } from '../../errors.ts'
import type { SpanStart, Tracer } from '../../tracing.ts'

const exportLimitMs = 5000
const closeLimitMs = 2000
const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT }

/**
 * Sends spans to a collector by OTLP over HTTP, in batches. A collector that does not answer loses
 * spans and delays nothing. The exporter reads `OTEL_EXPORTER_OTLP_HEADERS` itself.
 */
export function openOtlpTracer(
  { endpoint, serviceName, ratio }: NonNullable<Env['tracing']>,
  version: string,
): Tracer {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: exportLimitMs,
  })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: exportLimitMs })],
  })
  provider.register()
  const tracer = provider.getTracer('meridian')

  const parentOf = ({ parent }: SpanStart) =>
    parent === undefined ? context.active() : propagation.extract(context.active(), { traceparent: parent })

  return {
    trace: ({ name, kind = 'internal', attributes = {}, ...start }, work) => {
      const parent = parentOf({ name, ...start })
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent)
      return context.with(api.setSpan(parent, span), () => {
        try {
          const result = work({ set: (values) => void span.setAttributes(values) })
          if (!(result instanceof Promise)) span.end()
          else
            result.then(
              () => span.end(),
              (error: unknown) => fail(span, error),
            )
          return result
        } catch (error) {
          fail(span, error)
          throw error
        }
      })
    },
    traceId: () => api.getActiveSpan()?.spanContext().traceId ?? null,
    close: async () => {
      await Promise.race([
        provider.shutdown().catch(() => {}),
        new Promise((resolve) => setTimeout(resolve, closeLimitMs).unref()),
      ])
    },
  }
}

/** Ends a span with the code of its error. Messages can quote what a person typed. */
function fail(span: Span, error: unknown): void {
  span.setAttribute('error.type', toAppError(error).code)
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
