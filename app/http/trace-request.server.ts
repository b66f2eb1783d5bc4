import { trace } from '#server/tracing.ts'

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Answers a request in a span. It has the route's pattern, the method and the status: no path, no
 * query and no person.
 * @param traceparent of a trusted proxy, whose trace continues with its sampling decision
 * @param answer returns the status
 */
export async function traceRequest(
  { route, method }: { route: string; method: string },
  traceparent: string | undefined,
  answer: () => Promise<number>,
): Promise<void> {
  const known = methods.has(method) ? method : '_OTHER'
  await trace(
    {
      name: `${known} ${route}`,
      kind: 'server',
      attributes: { 'http.request.method': known, 'http.route': route },
      parent: traceparent,
    },
    async (span) => span.set({ 'http.response.status_code': await answer() }),
  )
}
