import type { Permission } from '#domain/accounts/permissions.ts'
import { utcDay } from '#domain/days.ts'
import { paths } from '#domain/paths.ts'
import { needsRecentCode } from '#server/accounts/recent-code.ts'
import type { GridPage, GridQuery } from '#domain/grid.ts'
import type { Context } from '#server/context.ts'
import { exportGrid, type ExportColumn } from '#server/grids/export-grid.ts'
import { redirect } from 'react-router'
import { adminLoader, gridParams } from './admin-loader.server.ts'
import { cacheControl } from './cache.server.ts'
import { toByteStream } from './api.server.ts'
import { getTexts, readForm } from './form-action.server.ts'

/**
 * A table as a streamed file.
 * @param name the file name, without the date
 */
export async function csvReply(
  ctx: Context,
  name: string,
  chunks: AsyncGenerator<string, void>,
): Promise<Response> {
  let hasStarted = false
  const watched = async function* (): AsyncGenerator<string, void> {
    try {
      yield* chunks
    } catch (error) {
      // The response has started. All that is left is to abort it and log why.
      if (hasStarted) ctx.log.error({ err: error, requestId: ctx.requestId, name }, 'export aborted')
      throw error
    }
  }
  const body = await toByteStream(watched())
  hasStarted = true
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}-${utcDay(ctx.now)}.csv"`,
      'Cache-Control': cacheControl('private'),
    },
  })
}

type GridExport<Row, Query extends GridQuery<string>> = {
  name: string
  /** The grid's own query schema. */
  schema: { parse: (params: unknown) => Query }
  columns: readonly ExportColumn<Row>[]
  /** The grid's own use case, which checks permissions and writes audit rows. */
  list: (ctx: Context, query: Query) => Promise<GridPage<Row>>
}

const gridFile = <Row, Query extends GridQuery<string>>(
  ctx: Context,
  params: Record<string, unknown>,
  { name, schema, columns, list }: GridExport<Row, Query>,
): Promise<Response> =>
  csvReply(
    ctx,
    name,
    exportGrid(schema.parse(params), columns, (query) => list(ctx, query)),
  )

/** Every row that the grid's parameters match, as a file. */
export const exportLoader = <Row, Query extends GridQuery<string>>(
  permission: Permission,
  options: GridExport<Row, Query>,
) => adminLoader(permission, (ctx, args) => gridFile(ctx, gridParams(args), options))

/**
 * The same for a grid whose search is posted because it can name people. Needs a recent code.
 * @param returnTo the grid's page, to which the page that asks for a code returns
 */
export const exportAction = <Row, Query extends GridQuery<string>>(
  returnTo: string,
  options: GridExport<Row, Query>,
) =>
  adminLoader('customers.export', async (ctx, { request }) => {
    if (needsRecentCode(ctx)) throw redirect(paths.account.confirmCodeFor(returnTo), 303)
    return gridFile(ctx, getTexts(await readForm(request)), options)
  })
