import { z } from 'zod'

/** What the SDK of UploadThing needs in a token. */
const tokenSchema = z.object({
  apiKey: z.string().startsWith('sk_'),
  appId: z.string(),
  regions: z.array(z.string()).min(1),
})

/**
 * Whether the SDK can read this token: base64 of JSON. It reads it only at the first upload, and
 * ignores ends of lines.
 */
export function isUploadThingToken(text: string): boolean {
  const base64 = z.base64().safeParse(text.replaceAll(/[\r\n]/g, ''))
  return base64.success && tokenSchema.safeParse(parseJson(base64.data)).success
}

function parseJson(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))
  } catch {
    return null
  }
}
