import type { Permission } from '#domain/accounts/permissions.ts'
import { findNulField, nulMessage } from '#domain/clean-text.ts'
import { AppError } from '#domain/errors.ts'
import { requirePermission, requireUser } from '#server/require-user.ts'
import type { Context } from '#server/context.ts'
import type { z } from 'zod'
import { apiLoader, methodNotAllowed, type ApiRequest } from './api.server.ts'
import { readBounded } from './read-bounded.server.ts'

type Run = (ctx: Context, request: ApiRequest) => Promise<Response>
export type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who may call. The use case checks again; this check comes before the body is read. */
type Guard = { for: 'anyone' | 'user' | Permission }
type SchemaOf<Schema> = Schema | ((ctx: Pick<Context, 'now'>) => Schema)

/** A write: who may call it, what body it accepts (null for none), and what it does. */
export type Write = Guard & { schema: SchemaOf<z.ZodObject> | null; run: Run }

/**
 * The door for writes under /api, by method; any other method is 405. The contract sets the
 * order of the checks (contract, "/api", "Responses").
 * @param handlers made by `withJson` and `withoutBody`
 * @param reads the methods that the route's loader answers, listed in `Allow` too
 */
export function apiAction<Method extends WriteMethod>(
  writes: Record<Method, Write>,
  reads: readonly string[] = [],
) {
  const action = apiLoader(async (ctx, request) => {
    const [, write] =
      Object.entries<Write>(writes).find(([method]) => method === request.request.method) ?? []
    return write ? write.run(ctx, request) : methodNotAllowed(...reads, ...Object.keys(writes))()
  })
  // The API's document describes them (app/routes/api/openapi).
  return Object.assign(action, { writes })
}

type WithJson<Schema extends z.ZodObject> = Guard & {
  /** An unknown key is 400. An invalid value is 422 and names its key. */
  schema: SchemaOf<Schema>
  /**
   * Throws NOT_FOUND when the object in the path is missing. Runs before the fields are validated.
   */
  find?: (ctx: Context, request: ApiRequest) => Promise<unknown>
  run: (ctx: Context, input: z.output<Schema>, request: ApiRequest) => Promise<Response>
}

/** A write whose body is one JSON object. */
export const withJson = <Schema extends z.ZodObject>({
  for: who,
  schema: schemaOrMake,
  find,
  run,
}: WithJson<Schema>): Write => ({
  for: who,
  schema: schemaOrMake,
  run: async (ctx, request) => {
    checkGuard(ctx, who)
    const schema = resolveSchema(schemaOrMake, ctx)
    const body = await readJsonObject(request.request)
    for (const key of Object.keys(body)) {
      // JSON.parse makes "__proto__" an ordinary own key, so it is refused here too.
      if (!Object.hasOwn(schema.shape, key))
        throw new AppError('BAD_REQUEST', `${JSON.stringify(key.slice(0, 64))} is not a known field.`)
    }
    await find?.(ctx, request)
    const nulField = findNulField(body)
    if (nulField !== null) throw new AppError('INVALID', undefined, { fields: { [nulField]: nulMessage } })
    const parsed = schema.safeParse(body)
    if (!parsed.success) throw new AppError('INVALID', undefined, { fields: toFieldErrors(parsed.error) })
    return run(ctx, parsed.data, request)
  },
})

/** A write without a body, so it needs no content type. */
export const withoutBody = ({ for: who, run }: Guard & { run: Run }): Write => ({
  for: who,
  schema: null,
  run: async (ctx, request) => {
    checkGuard(ctx, who)
    return run(ctx, request)
  },
})

/** The schema of a write; some depend on today's date. */
export const resolveSchema = <Schema extends z.ZodObject>(
  schema: SchemaOf<Schema>,
  ctx: Pick<Context, 'now'>,
): Schema => (typeof schema === 'function' ? schema(ctx) : schema)

function checkGuard(ctx: Context, who: Guard['for']): void {
  if (who === 'anyone') return
  if (who === 'user') requireUser(ctx)
  else requirePermission(ctx, who)
}

const maxJsonBytes = 64 * 1024
const jsonType = /^application\/json\s*(;|$)/i

async function readJsonObject(request: Request): Promise<object> {
  const type = request.headers.get('content-type')
  if (type !== null && !jsonType.test(type)) throw new AppError('UNSUPPORTED_TYPE')
  // Nothing here decompresses a body (RFC 9110, section 15.5.16).
  if ((request.headers.get('content-encoding') ?? 'identity') !== 'identity')
    throw new AppError('UNSUPPORTED_TYPE', 'Send the body without Content-Encoding.')
  const body = await readBounded(request, maxJsonBytes)
  if (type === null && body.byteLength > 0) throw new AppError('UNSUPPORTED_TYPE')
  const value = parseJson(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('BAD_REQUEST', 'The body must be a JSON object.')
  }
  return value
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new AppError('BAD_REQUEST', 'The body is not JSON.', { cause: error })
  }
}

/** The first message for each key. */
function toFieldErrors(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const { path, message } of error.issues) fields[String(path[0] ?? 'body')] ??= message
  return fields
}
