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

/** Calls a procedure as the back office does: queries and mutations are both a POST of JSON. */
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

/** A procedure's result. Fails the test when the procedure returned an error. */
export async function resultOf(response: Response): Promise<unknown> {
  const reply = replySchema.parse(await response.json())
  expect(reply).not.toHaveProperty('error')
  return 'result' in reply ? reply.result.data : undefined
}

/** A procedure's error: HTTP status, message, the shop's code and the fields. */
export async function errorOf(response: Response) {
  const reply = replySchema.parse(await response.json())
  if (!('error' in reply)) throw new Error('The procedure did not return an error.')
  const { message, data } = reply.error
  return { status: response.status, message, ...data }
}
