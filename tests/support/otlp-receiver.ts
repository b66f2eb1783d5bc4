import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const spanSchema = z.object({
  name: z.string(),
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  attributes: z
    .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
    .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, Object.values(value)[0]]))),
})
export type ReceivedSpan = z.infer<typeof spanSchema>

const exportSchema = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) })),
})

export type OtlpReceiver = {
  endpoint: string
  spans: ReceivedSpan[]
  /** Everything that arrived, as text. */
  read: () => string
  close: () => void
}

/** A collector that keeps the spans that it receives, in OTLP's JSON over HTTP. */
export async function openOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  let text = ''
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')))
    request.on('end', () => {
      text += body
      for (const { scopeSpans } of exportSchema.parse(JSON.parse(body)).resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans)
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    read: () => text,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
