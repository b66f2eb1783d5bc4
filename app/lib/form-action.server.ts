import { statusOf } from '#domain/errors.ts'
import { toAppError } from '#server/errors.ts'
import { parseWithZod } from '@conform-to/zod/v4'
import { data } from 'react-router'
import type { z } from 'zod'

/** What a form that was refused gets back: what was typed, what is wrong in general, and by field. */
export type FormFailure = {
  intent: string
  values: Record<string, string>
  message: string | null
  fields: Record<string, string>
}

const maxFormBytes = 64 * 1024

/** The posted fields of a form without files. Throws TOO_LARGE beyond 64 KiB. */
export async function readForm(request: Request): Promise<FormData> {
  const length = Number(request.headers.get('content-length') ?? 0)
  if (length > maxFormBytes) throw new Response('The form is too large.', { status: 413 })
  return request.formData()
}

/**
 * The form door of a use case: parses the fields, runs, translates. Success is what `run` returns (mostly a
 * redirect with 303); a refusal keeps what was typed and names the fields, with the error's own status.
 */
export async function formAction<Schema extends z.ZodType, Result>(
  form: FormData,
  schema: Schema,
  run: (input: z.output<Schema>) => Promise<Result>,
): Promise<Result | ReturnType<typeof data<FormFailure>>> {
  const typed = {
    intent: String(form.get('intent') ?? ''),
    values: Object.fromEntries(
      [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    ),
  }
  const submission = parseWithZod(form, { schema })
  if (submission.status !== 'success') {
    const fields = Object.fromEntries(
      Object.entries(submission.error ?? {}).flatMap(([name, sentences]) =>
        sentences?.[0] ? [[name, sentences[0]]] : [],
      ),
    )
    return data<FormFailure>({ ...typed, message: null, fields }, { status: 422 })
  }
  try {
    return await run(submission.value)
  } catch (error) {
    const appError = toAppError(error)
    if (error instanceof Response || appError.code === 'INTERNAL') throw error
    return data<FormFailure>(
      { ...typed, message: appError.message, fields: { ...appError.fields } },
      { status: statusOf(appError.code) },
    )
  }
}
