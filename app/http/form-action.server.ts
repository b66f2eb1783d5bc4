import { AppError, statusOf } from '#domain/errors.ts'
import { toAppError } from '#server/errors.ts'
import { parseWithZod } from '@conform-to/zod/v4'
import { data } from 'react-router'
import type { z } from 'zod'
import type { FormFailure } from './form-failure.ts'
import { asPageError } from './page-loader.server.ts'
import { readBounded } from './read-bounded.server.ts'

/** Names of fields whose value never goes back into a page. */
const secretField = /password|(?<!zip)code$|^card(number|cvc)$/i

const maxFormBytes = 64 * 1024
const formTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data)(;|$)/i

/**
 * The posted fields of a form without files, as the error page's answer when it is none: 405 by another method, 413
 * beyond 64 KiB, whatever its Content-Length says, 415 of another type, 400 when it is torn.
 */
export async function readForm(request: Request): Promise<FormData> {
  if (request.method !== 'POST') throw asPageError(new AppError('METHOD_NOT_ALLOWED'))
  const type = request.headers.get('content-type') ?? ''
  if (!formTypes.test(type)) throw asPageError(new AppError('UNSUPPORTED_TYPE'))
  const body = await readBounded(request, maxFormBytes).catch((error: unknown) => {
    throw asPageError(error)
  })
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData()
  } catch (error) {
    throw asPageError(new AppError('BAD_REQUEST', undefined, { cause: error }))
  }
}

/** A field's text; a file in its place is none. */
export function textOf(form: FormData, name: string): string | null {
  const value = form.get(name)
  return typeof value === 'string' ? value : null
}

/**
 * The form door of a use case: parses the fields, runs, translates. Success is what `run` returns (mostly a
 * redirect with 303); a refusal keeps what was typed, but passwords and codes, and names the fields, with the error's own
 * status.
 */
export async function formAction<Schema extends z.ZodType, Result>(
  form: FormData,
  schema: Schema,
  run: (input: z.output<Schema>) => Promise<Result>,
): Promise<Result | ReturnType<typeof data<FormFailure>>> {
  const submission = parseWithZod(form, { schema })
  if (submission.status !== 'success') {
    const fields = Object.fromEntries(
      Object.entries(submission.error ?? {}).flatMap(([name, sentences]) =>
        sentences?.[0] ? [[name, sentences[0]]] : [],
      ),
    )
    return data<FormFailure>({ ...typedIn(form), message: null, fields }, { status: 422 })
  }
  return orRefusal(form, () => run(submission.value))
}

/** What comes back of a form that is refused. */
const typedIn = (form: FormData) => ({
  intent: textOf(form, 'intent') ?? '',
  values: Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      typeof value === 'string' && !secretField.test(name) ? [[name, value]] : [],
    ),
  ),
})

/** The same for what a form asks before its fields are read. */
export async function orRefusal<Result>(
  form: FormData,
  run: () => Promise<Result>,
): Promise<Result | ReturnType<typeof data<FormFailure>>> {
  try {
    return await run()
  } catch (error) {
    const appError = toAppError(error)
    if (error instanceof Response || appError.code === 'INTERNAL') throw error
    const { retryAfter } = appError
    return data<FormFailure>(
      { ...typedIn(form), message: appError.message, fields: { ...appError.fields } },
      {
        status: statusOf(appError.code),
        ...(retryAfter !== undefined && { headers: { 'Retry-After': String(retryAfter) } }),
      },
    )
  }
}
