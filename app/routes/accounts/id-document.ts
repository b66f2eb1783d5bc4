import { AppError } from '#domain/errors.ts'
import { paths } from '#domain/paths.ts'
import { serverPaths } from '#domain/server-paths.ts'
import { replaceIdDocument } from '#server/accounts/id-document.ts'
import { toAppError } from '#server/errors.ts'
import { data, redirect } from 'react-router'
import type { IdDocumentReply } from './IdDocumentCard.tsx'
import type { Flash } from '../../http/cookies.server.ts'
import { isLostConnection, unreachableReply } from '../../http/network-fallback.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { readUploadForm } from '../../http/upload-form.server.ts'
import { requireSignedIn } from '../../http/require-signed-in.server.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { requireShownUser } from '../../http/require-shown-user.server.ts'
import type { Route } from './+types/id-document'

const uploadedFlash: Flash = {
  kind: 'success',
  title: 'ID Document Uploaded',
  text: 'Your ID document has been uploaded successfully',
}
const failedMessage = 'Failed to upload ID document'

const pathsFrom = (from: string | null) =>
  from === 'checkout'
    ? { page: serverPaths.profileForCheckout, section: serverPaths.idDocumentSectionForCheckout }
    : { page: paths.profile, section: paths.idDocumentSection }

/** Keeps the page when the connection is lost; a thrown error would replace it. */
export const clientAction = async ({ serverAction }: Route.ClientActionArgs) => {
  try {
    return await serverAction()
  } catch (error) {
    if (!isLostConnection(error)) throw error
    return data<IdDocumentReply>({ problem: unreachableReply.message })
  }
}

/** The page with the form. */
export const loader = () => redirect(paths.profile)

/**
 * Handles the profile page's form: a file, or the reference of an uploaded one. Redirects to the
 * profile with the specified message; with `stay`, returns the result to a script instead.
 */
export const action = async ({ context, request }: Route.ActionArgs) => {
  const { ctx } = context.get(requestContext)
  const from = new URL(request.url).searchParams.get('from')
  requireSignedIn({ context }, pathsFrom(from).section)
  const { form, reference, refusal } = await readUploadForm(ctx, request, 'idDocumentURL')
  let problem: AppError | null = refusal
  try {
    requireShownUser(ctx, form)
    if (!refusal && reference === null) throw new AppError('INVALID', 'Choose a file first.')
    if (!refusal && reference !== null) await replaceIdDocument(ctx, reference)
  } catch (error) {
    problem = toAppError(error)
    if (problem.code === 'INTERNAL') throw error
  }
  if (form.has('stay')) {
    return data<IdDocumentReply>({ problem: problem?.message ?? null })
  }
  const flash: Flash = problem
    ? { kind: 'error', title: 'Upload Failed', text: `${failedMessage}. ${problem.message}` }
    : uploadedFlash
  const { page, section } = pathsFrom(from)
  // Without scripts, the message is at the top of the page. The section itself shows only a
  // success.
  return redirectWithToast({ context }, problem ? page : section, flash)
}

/** Makes this a page route, so that an unreadable form is answered with an error page. */
export default function NoPage() {
  return null
}
