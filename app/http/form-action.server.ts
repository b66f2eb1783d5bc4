import { hasNul, nulMessage } from '#domain/clean-text.ts'
import { AppError, httpStatus } from '#domain/errors.ts'
import type { Context } from '#server/context.ts'
import { toAppError } from '#server/errors.ts'
import { parseWithZod } from '@conform-to/zod/v4'
import { data } from 'react-router'
import { z } from 'zod'
import { typedValues, type FormFailure } from './form-failure.ts'
import { toPageError } from './page-loader.server.ts'
import { readBounded } from './read-bounded.server.ts'
import { countOccurrences, maxFields as maxFormFields, parseBoundary } from './read-multipart.server.ts'

const maxFormBytes = 64 * 1024
const formTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data)(;|$)/i

/**
 * The posted fields of a form without files. Throws the error page's response: 405 for another
 * method, 413 above 64 KiB (whatever Content-Length says) or 100 fields, 415 for another type, 400
 * when malformed.
 * @param maxFields for a form that has more
 */
export async function readForm(request: Request, { maxFields = maxFormFields } = {}): Promise<FormData> {
  if (request.method !== 'POST') throw toPageError(new AppError('METHOD_NOT_ALLOWED'))
  const type = request.headers.get('content-type') ?? ''
  if (!formTypes.test(type)) throw toPageError(new AppError('UNSUPPORTED_TYPE'))
  const body = await readBounded(request, maxFormBytes).catch((error: unknown) => {
    throw toPageError(error)
  })
  const boundary = parseBoundary(type)
  const separator = boundary === null ? '&' : `\r\n--${boundary}`
  if (countOccurrences(body, separator, maxFields) > maxFields) throw toPageError(new AppError('TOO_LARGE'))
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData()
  } catch (error) {
    throw toPageError(new AppError('BAD_REQUEST', undefined, { cause: error }))
  }
}

const rawText = (form: FormData, name: string): string | null => {
  const value = form.get(name)
  return typeof value === 'string' ? value : null
}

/**
 * A field's text; null when the field is absent or a file. Throws the error page's response (422)
 * when it holds a NUL character.
 */
export function getText(form: FormData, name: string): string | null {
  const text = rawText(form, name)
  if (text === null || !hasNul(text)) return text
  throw toPageError(new AppError('INVALID', `${name}: ${nulMessage}`))
}

/** All fields' texts, read as `getText` does. */
export const getTexts = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    [...form.keys()].filter((name) => !hasNul(name)).map((name) => [name, getText(form, name) ?? '']),
  )

/**
 * The form door of a use case: parses the fields, runs it, and translates the result. On success,
 * returns what `run` returns (usually a 303). On failure, returns the typed values without
 * passwords and codes, and the messages by field, with the error's own status.
 * @param ctx logs an unexpected error, so that the page can keep what was typed; without it, such
 * an error is thrown
 */
export async function formAction<Schema extends z.ZodType, Result>(
  form: FormData,
  schema: Schema,
  run: (input: z.output<Schema>) => Promise<Result>,
  ctx?: FormContext,
): Promise<Result | ReturnType<typeof data<FormFailure>>> {
  const picked = pickFields(form, fieldNames(schema))
  const nulFields = [...picked].filter(([, value]) => typeof value === 'string' && hasNul(value))
  if (nulFields.length > 0) {
    const fields = Object.fromEntries(nulFields.map(([name]) => [name, nulMessage]))
    return data<FormFailure>({ ...typedValues(form), message: null, fields }, { status: 422 })
  }
  const submission = parseWithZod(picked, { schema })
  if (submission.status !== 'success') {
    const fields = Object.fromEntries(
      Object.entries(submission.error ?? {}).flatMap(([name, sentences]) =>
        sentences?.[0] ? [[name, sentences[0]]] : [],
      ),
    )
    return data<FormFailure>({ ...typedValues(form), message: null, fields }, { status: 422 })
  }
  return withFormFailure(form, () => run(submission.value), ctx)
}

/** The names that a form's schema reads. */
function fieldNames(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  if (schema instanceof z.ZodPipe) return fieldNames(schema.in)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(fieldNames)
  throw new Error(`A form's schema can't be ${schema._zod.def.type}.`)
}

/**
 * The fields with these names. Without the others, which the form library would read as commands
 * (`__intent__`), as its state, or as paths of any depth (`a.a.a`).
 */
function pickFields(form: FormData, names: readonly string[]): FormData {
  const picked = new FormData()
  for (const name of names) for (const value of form.getAll(name)) picked.append(name, value)
  return picked
}

/** Shows a form again as it was typed, without errors. */
export const typedForm = (form: FormData): FormFailure => ({
  ...typedValues(form),
  message: null,
  fields: {},
})

type FormContext = Pick<Context, 'log' | 'requestId'>

/** A redirect, or the error page's response that `toPageError` makes. */
const isThrownReply = (error: unknown): boolean =>
  error instanceof Response ||
  (typeof error === 'object' && error !== null && 'init' in error && 'data' in error)

/**
 * Translates the errors of `run` as `formAction` does. For checks that come before the fields are
 * parsed.
 */
export async function withFormFailure<Result>(
  form: FormData,
  run: () => Promise<Result>,
  ctx?: FormContext,
): Promise<Result | ReturnType<typeof data<FormFailure>>> {
  try {
    return await run()
  } catch (error) {
    const appError = toAppError(error)
    if (isThrownReply(error)) throw error
    if (appError.code === 'INTERNAL') {
      if (!ctx) throw error
      ctx.log.error({ err: error, requestId: ctx.requestId }, 'form failed')
    }
    const { retryAfter } = appError
    return data<FormFailure>(
      {
        ...typedValues(form),
        message: appError.message,
        fields: { ...appError.fields },
        ...(appError.code === 'UNAUTHENTICATED' && { isSignedOut: true }),
        ...(appError.code === 'CONFLICT' && { isConflict: true }),
      },
      {
        status: httpStatus(appError.code),
        ...(retryAfter !== undefined && { headers: { 'Retry-After': String(retryAfter) } }),
      },
    )
  }
}
