import type { Context } from '#server/context.ts'
import { cacheControl } from './cache.server.ts'
import { streamOf } from './api.server.ts'

/**
 * A table to keep as a file, written as it is read: its first piece is read before it is answered, so what stands against it is told.
 * @param name of the file, before the day
 */
export async function csvReply(
  ctx: Context,
  name: string,
  pieces: AsyncGenerator<string, void>,
): Promise<Response> {
  const first = await pieces.next()
  const all = async function* () {
    if (first.done) return
    yield first.value
    try {
      yield* pieces
    } catch (error) {
      // The answer has begun: all that is left is to break it off, and to tell why.
      ctx.log.error({ err: error, requestId: ctx.requestId, name }, 'export broke off')
      throw error
    }
  }
  return new Response(streamOf(all()), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}-${ctx.now.toISOString().slice(0, 10)}.csv"`,
      'Cache-Control': cacheControl(false),
    },
  })
}
