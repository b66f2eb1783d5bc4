import type { Env } from '../../env.ts'
import { setTracer } from '../../tracing.ts'

/** Starts tracing if the environment names a collector. Its library is loaded only then. */
export async function openTracer(env: Env, version: string): Promise<{ close: () => Promise<void> }> {
  if (!env.tracing) return { close: async () => {} }
  const { openOtlpTracer } = await import('./otlp-tracer.ts')
  const tracer = openOtlpTracer(env.tracing, version)
  setTracer(tracer)
  return tracer
}
