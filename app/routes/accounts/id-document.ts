import { AppError } from '#domain/errors.ts'
import { replaceIdDocument } from '#server/accounts/id-document.ts'
import { toAppError } from '#server/errors.ts'
import { data, redirect } from 'react-router'
import type { IdDocumentReply } from './IdDocumentCard.tsx'
import { flashHeader, type Flash } from '../../http/cookies.server.ts'
import { isLostConnection, unreachedReply } from '../../http/network-fallback.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { readUploadForm } from '../../http/upload-form.server.ts'
import type { Route } from './+types/id-document'

const uploaded: Flash = {
  kind: 'success',
  title: 'ID Document Uploaded',
  text: 'Your ID document has been uploaded successfully',
}
const failed = 'Failed to upload ID document'

/** Where we were not reached the page stays, for an error would take its place. */
export const clientAction = async ({ serverAction }: Route.ClientActionArgs) => {
  try {
    return await serverAction()
  } catch (error) {
    if (!isLostConnection(error)) throw error
    return data<IdDocumentReply>({ problem: unreachedReply.message })
  }
}

/** The page that the form stands on. */
export const loader = () => redirect('/profile')

/**
 * Takes the form of the profile page: a file, or the reference of one that a script uploaded. Answers 303 to that page with
 * the documented message; with `stay` the news, for a script that listens.
 */
export const action = async ({ context, request }: Route.ActionArgs) => {
  const { ctx, env } = context.get(requestContext)
  if (!ctx.user) return redirect('/', 303)
  const { form, reference, refusal } = await readUploadForm(ctx, request, 'idDocumentURL')
  let problem: AppError | null = refusal
  try {
    if (!refusal && reference === null) throw new AppError('INVALID', 'Please choose a file first.')
    if (!refusal && reference !== null) await replaceIdDocument(ctx, reference)
  } catch (error) {
    problem = toAppError(error)
    if (problem.code === 'INTERNAL') throw error
  }
  if (form.has('stay')) {
    return data<IdDocumentReply>({ problem: problem?.message ?? null })
  }
  const flash: Flash = problem
    ? { kind: 'error', title: 'Upload Failed', text: `${failed}. ${problem.message}` }
    : uploaded
  return redirect('/profile#id-document-verification', {
    status: 303,
    headers: { 'Set-Cookie': await flashHeader(flash, env) },
  })
}

/** Makes a page of the route, so that a form which cannot be read is answered with the error's page. */
export default function NoPage() {
  return null
}
