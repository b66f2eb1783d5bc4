import type { GridPage, GridQuery } from '#domain/grid.ts'
import type { Context } from '#server/context.ts'
import { exportGrid, type ExportColumn } from '#server/grids/export-grid.ts'
import { adminLoader, gridParamsOf } from './admin-loader.server.ts'
import { cacheControl } from './cache.server.ts'
import { streamOf } from './api.server.ts'
import { readForm } from './form-action.server.ts'

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

type Exported<Row, Query extends GridQuery<string>> = {
  name: string
  /** The grid's own: what it reads of a URL. */
  schema: { parse: (params: unknown) => Query }
  columns: readonly ExportColumn<Row>[]
  /** The grid's own use case, which checks who asks and writes down whose rows are read. */
  list: (ctx: Context, query: Query) => Promise<GridPage<Row>>
}

const fileOf = <Row, Query extends GridQuery<string>>(
  ctx: Context,
  params: Record<string, unknown>,
  { name, schema, columns, list }: Exported<Row, Query>,
): Promise<Response> =>
  csvReply(
    ctx,
    name,
    exportGrid(schema.parse(params), columns, (query) => list(ctx, query)),
  )

/** What a grid shows, on all its pages, as a file: by the grid's own parameters. */
export const exportLoader = <Row, Query extends GridQuery<string>>(said: Exported<Row, Query>) =>
  adminLoader((ctx, args) => fileOf(ctx, gridParamsOf(args), said))

/** The same where what is searched for stands in no URL: it comes by a form. */
export const exportAction = <Row, Query extends GridQuery<string>>(said: Exported<Row, Query>) =>
  adminLoader(async (ctx, { request }) => fileOf(ctx, Object.fromEntries(await readForm(request)), said))
