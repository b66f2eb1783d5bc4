import { z } from 'zod'
import { topicNames } from './webhook-events.ts'

const maxUrlLength = 2000

export const webhookUrlMessage =
  'Enter an address that starts with https:// and is on the public internet, without a username, a port or a fragment.'

function isPlainUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  return url.username === '' && url.password === '' && url.hash === ''
}

/** Which addresses the shop accepts depends on where it runs: `createEndpoint` decides. */
export const newEndpointSchema = z.object({
  /** Made with the form, so that sending it twice creates one endpoint. */
  id: z.uuid(),
  url: z
    .string({ error: webhookUrlMessage })
    .trim()
    .max(maxUrlLength, `Use at most ${maxUrlLength} characters.`)
    .refine(isPlainUrl, webhookUrlMessage),
  topic: z.enum(topicNames, { error: 'Choose what to send.' }),
  code: z.string().max(64).default(''),
})
export type NewEndpointInput = Omit<z.output<typeof newEndpointSchema>, 'code'>

/** A form about one endpoint or one delivery. */
export const webhookRowSchema = z.object({ id: z.uuid() })
