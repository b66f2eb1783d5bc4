import { expect } from 'vitest'
import { z } from 'zod'
import type { Visitor } from './shop.ts'

const replySchema = z.union([
  z.object({ result: z.object({ data: z.unknown().optional() }) }),
  z.object({
    error: z.object({
      message: z.string(),
      data: z.object({ code: z.string(), fields: z.record(z.string(), z.string()), current: z.unknown() }),
    }),
  }),
])

/** Calls a procedure as the back office's pages do: a POST of JSON, whether it asks or changes something. */
export const callProcedure = (
  visitor: Visitor,
  origin: string,
  path: string,
  input?: unknown,
): Promise<Response> =>
  visitor.request(`/trpc/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    ...(input !== undefined && { body: JSON.stringify(input) }),
  })

/** What a procedure answered; the test fails when it refused. */
export async function resultOf(response: Response): Promise<unknown> {
  const reply = replySchema.parse(await response.json())
  expect(reply).not.toHaveProperty('error')
  return 'result' in reply ? reply.result.data : undefined
}

/** How a procedure refused: its status, the shop's own code and the fields. */
export async function refusalOf(response: Response) {
  const reply = replySchema.parse(await response.json())
  if (!('error' in reply)) throw new Error('It was not refused.')
  const { message, data } = reply.error
  return { status: response.status, message, ...data }
}
