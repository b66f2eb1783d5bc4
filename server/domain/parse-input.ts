import type { z } from 'zod'
import { AppError } from './errors.ts'

/** A field's path as forms name it: `items[0].units`. */
const toFieldName = (path: readonly PropertyKey[]): string =>
  path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${String(part)}`))
    .join('')

/** Parses what a client sent. Throws INVALID with the first message of each field. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw new AppError('INVALID', undefined, { fields: toFieldErrors(parsed.error) })
}

/** The first message for each field. */
export function toFieldErrors({ issues }: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const { path, message } of issues) fields[toFieldName(path) || 'input'] ??= message
  return fields
}
