import type { Context } from '#server/context.ts'
import { fileTypes } from '#domain/files/files.ts'
import { errorCodes, httpStatus, type ErrorCode } from '#domain/errors.ts'
import { permissionTable } from '#domain/accounts/permissions.ts'
import { z } from 'zod'
import { resolveSchema } from '../../../http/api-action.server.ts'
import { operations, type Operation, type Reply } from './operations.ts'
import { replies } from './replies.ts'

/** JSON Schema without the dialect, which OpenAPI 3.1 states once. */
export function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): object {
  // Refinements and transforms have no JSON Schema: the text of the 422 states them.
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

function replySchema(reply: Exclude<Reply, null | 'file' | 'redirect'>): object {
  if (typeof reply === 'string') return { $ref: `#/components/schemas/${reply}` }
  if ('list' in reply) return { type: 'array', items: replySchema(reply.list) }
  return { anyOf: reply.either.map((each) => (isJson(each) ? replySchema(each) : {})) }
}

const isJson = (reply: Reply): reply is Exclude<Reply, null | 'file' | 'redirect'> =>
  reply !== null && reply !== 'file' && reply !== 'redirect'

const header = (description: string, type: 'string' | 'integer' = 'string'): object => ({
  description,
  schema: { type },
})
const linkHeader = header(
  'The next page, with rel "next". Of a whole list: its first page, with rel "first".',
)
const deprecationHeader = (when: string): object =>
  header(`${when}: since when this is deprecated, as "@" and Unix seconds (RFC 9745).`)
const etagHeader = header('The version of the reply, for If-None-Match.')

/** Public replies have an ETag. Catalog staff get another list of manufacturers, without one. */
const hasEtag = ({ method, for: who, reply }: Operation): boolean =>
  method === 'GET' && who === 'anyone' && isJson(reply)

function successResponse(operation: Operation): object {
  const { reply, isPaged, deprecation } = operation
  if (reply === null) return { description: 'Done' }
  if (reply === 'redirect') {
    return { description: 'A redirect', headers: { Location: { schema: { type: 'string' } } } }
  }
  if (reply === 'file')
    return { description: 'The file', content: Object.fromEntries(fileTypes.map((type) => [type, {}])) }
  const headers = {
    ...(hasEtag(operation) && { ETag: etagHeader }),
    ...(isPaged && { Link: linkHeader }),
    ...(deprecation !== null && { Deprecation: deprecationHeader(deprecation) }),
  }
  return {
    description: 'Success',
    ...(Object.keys(headers).length > 0 && { headers }),
    content: { 'application/json': { schema: replySchema(reply) } },
  }
}

/** The refusals that a call can have: those of every call, of its kind, and its own. */
function listRefusals({ method, for: who, forKey, body, path, refusals }: Operation): ErrorCode[] {
  const isWrite = method !== 'GET'
  const isForStaff = who !== 'anyone' && who !== 'user'
  return [
    ...(body ? (['BAD_REQUEST', 'TOO_LARGE', 'UNSUPPORTED_TYPE'] as const) : []),
    // A wrong key is refused, also where none is needed, and any key where none is accepted.
    'UNAUTHENTICATED',
    ...(isWrite || isForStaff || forKey === undefined ? (['FORBIDDEN'] as const) : []),
    ...(path.includes('{') ? (['NOT_FOUND'] as const) : []),
    ...(isWrite ? (['CONFLICT', 'STORAGE_FULL'] as const) : []),
    ...(['INVALID', 'TOO_MANY', 'UNAVAILABLE', 'MISDIRECTED'] as const),
    ...refusals,
  ]
}

const retryAfter = { headers: { 'Retry-After': header('How many seconds to wait.', 'integer') } }

const errorHeaders: Partial<Record<string, object>> = {
  UNAUTHENTICATED: {
    headers: {
      'WWW-Authenticate': header('Bearer, with error="invalid_token" for a wrong API key.'),
    },
  },
  TOO_MANY: retryAfter,
  UNAVAILABLE: retryAfter,
}

const errorResponses = Object.fromEntries(
  Object.entries(errorCodes).map(([code, { sentence }]) => [
    code,
    {
      description: sentence,
      ...errorHeaders[code],
      content: { 'text/plain': { schema: { type: 'string', description: 'One plain sentence.' } } },
    },
  ]),
)

const errorReference = (code: ErrorCode): object => ({ $ref: `#/components/responses/${code}` })

/** The path, query and header parameters of a call. */
function parameters({ path, query, headers }: Operation): object[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const listed = (place: 'query' | 'header', schemas: z.ZodObject | undefined) =>
    Object.entries(schemas?.shape ?? {}).map(([name, schema]) => ({
      name,
      in: place,
      schema: jsonSchema(schema, 'output'),
    }))
  return [...inPath, ...listed('query', query), ...listed('header', headers)]
}

export const describeGuard = (who: Operation['for']): string => {
  if (who === 'anyone') return 'For everyone.'
  return who === 'user' ? 'For signed-in users.' : `Needs the permission “${permissionTable[who].label}”.`
}

/** What an API key needs for the call; empty when it accepts none. */
export function describeKey(forKey: Operation['forKey']): string {
  if (forKey === undefined) return ''
  return forKey === null ? 'Accepts an API key.' : `Accepts an API key with “${forKey}”.`
}

function listSecurity({ for: who, forKey }: Operation): object {
  const key = forKey === undefined ? [] : [{ apiKey: [] }]
  // An empty requirement: the call works without either.
  if (who === 'anyone') return key.length > 0 ? { security: [{}, ...key] } : {}
  return { security: [{ session: [] }, ...key] }
}

function describeOperation(operation: Operation, ctx: Pick<Context, 'now'>): object {
  const { area, summary, body, status, repeatedStatus, takesFile, for: who, forKey } = operation
  const listed = parameters(operation)
  return {
    tags: [area],
    summary,
    description: [describeGuard(who), describeKey(forKey)].filter(Boolean).join(' '),
    ...(listed.length > 0 && { parameters: listed }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchema(resolveSchema(body, ctx), 'input') } },
      },
    }),
    ...(takesFile && { requestBody: { required: true, content: { 'application/octet-stream': {} } } }),
    responses: {
      [status]: successResponse(operation),
      ...(repeatedStatus && { [repeatedStatus]: successResponse(operation) }),
      ...(hasEtag(operation) && { 304: { description: 'The caller has this version.' } }),
      ...Object.fromEntries(listRefusals(operation).map((code) => [httpStatus(code), errorReference(code)])),
    },
    ...listSecurity(operation),
  }
}

/**
 * The OpenAPI 3.1 document of /api (https://spec.openapis.org/oas/v3.1.1), from the schemas that
 * the routes use.
 */
export function buildDocument(
  ctx: Pick<Context, 'now'>,
  { origin, cookie }: { origin: string; cookie: string },
) {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const methods = (paths[operation.path] ??= {})
    methods[operation.method.toLowerCase()] = describeOperation(operation, ctx)
  }
  const schemas = Object.entries(replies).map(([name, schema]) => [name, jsonSchema(schema, 'output')])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Meridian',
      version: '1',
      description:
        'Errors are one plain sentence. Writes from other sites are refused. An unknown field returns 400. An invalid value returns 422 and names the field.',
    },
    servers: [{ url: origin }],
    paths,
    components: {
      schemas: Object.fromEntries(schemas),
      responses: errorResponses,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookie },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key of /admin/api/keys. The session of the request is then ignored.',
        },
      },
    },
  }
}
