import { AppError } from '#domain/errors.ts'
import { redirect } from 'react-router'
import { z } from 'zod'
import { readForm, getText } from '../../http/form-action.server.ts'
import { localPath } from '../../http/local-path.server.ts'
import { toPageError } from '../../http/page-loader.server.ts'
import { themeCookie, themes } from '../../components/theme.ts'
import type { Route } from './+types/theme'

/** The header's theme switch without scripts: saves the choice and returns to the current page. */
export const action = async ({ request }: Route.ActionArgs) => {
  const form = await readForm(request)
  const theme = z.enum(themes).safeParse(getText(form, 'theme'))
  if (!theme.success) throw toPageError(new AppError('INVALID', 'theme must be light or dark.'))
  return redirect(localPath(getText(form, 'returnTo')), {
    status: 303,
    headers: { 'Set-Cookie': themeCookie(theme.data) },
  })
}

/** This URL has no page. */
export const loader = () => {
  throw toPageError(new AppError('NOT_FOUND', '404 Page Not Found'))
}

export default function NoPage() {
  return null
}
