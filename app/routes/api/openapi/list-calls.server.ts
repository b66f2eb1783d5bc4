import type { Context } from '#server/context.ts'
import { z } from 'zod'
import { resolveSchema } from '../../../http/api-action.server.ts'
import { describeGuard, describeKey, jsonSchema } from './document.ts'
import { operations, type Reply } from './operations.ts'

type Field = { name: string; type: string; note: string | null; isRequired: boolean }

/** A call as the back office shows it. */
export type Call = {
  method: string
  path: string
  area: string
  summary: string
  /** Who may call it. */
  access: string
  parameters: Field[]
  /** The fields of its JSON body. */
  fields: Field[]
  /** Null when it returns nothing. */
  reply: string | null
}

const shapeSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  required: z.array(z.string()).default([]),
})
const typeSchema = z.union([z.string(), z.array(z.string()).transform((types) => types.join(' or '))])

/** The type of a field in words: "string or null", "pending, shipped or null". */
function describeType(schema: unknown): string {
  const {
    type,
    enum: values,
    const: value,
    anyOf,
  } = z
    .object({
      type: typeSchema.optional(),
      enum: z.array(z.unknown()).optional(),
      const: z.unknown().optional(),
      anyOf: z.array(z.unknown()).optional(),
    })
    .parse(schema)
  if (anyOf) return anyOf.map(describeType).join(' or ')
  if (values) return values.join(', ')
  return value === undefined ? (type ?? 'any value') : String(value)
}

function listFields(schema: z.core.$ZodType | null | undefined): Field[] {
  if (!schema) return []
  const { properties, required } = shapeSchema.parse(jsonSchema(schema, 'input'))
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: describeType(property),
    note: z
      .string()
      .nullable()
      .parse(property['description'] ?? null),
    isRequired: required.includes(name),
  }))
}

function describeReply(reply: Reply): string | null {
  if (reply === null || typeof reply === 'string') return reply
  return 'list' in reply
    ? `a list of ${describeReply(reply.list)}`
    : reply.either.map(describeReply).join(' or ')
}

/** Every documented call. */
export const listCalls = (ctx: Pick<Context, 'now'>): Call[] =>
  operations.map(({ method, path, area, summary, for: who, forKey, query, headers, body, reply }) => ({
    method,
    path,
    area,
    summary,
    access: [describeGuard(who), describeKey(forKey)].filter(Boolean).join(' '),
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
        name,
        type: 'string',
        note: null,
        isRequired: true,
      })),
      ...listFields(query),
      ...listFields(headers),
    ],
    fields: listFields(body && resolveSchema(body, ctx)),
    reply: describeReply(reply),
  }))
