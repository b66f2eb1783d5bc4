import { AppError } from '#domain/errors.ts'
import { redirect } from 'react-router'
import { z } from 'zod'
import { readForm, textOf } from '../../http/form-action.server.ts'
import { ownPath } from '../../http/local-path.server.ts'
import { asPageError } from '../../http/page-loader.server.ts'
import { themeCookie, themes } from '../../components/theme.ts'
import type { Route } from './+types/theme'

/** The switch in the header without scripts: keeps the choice and brings back the page it was made on. */
export const action = async ({ request }: Route.ActionArgs) => {
  const form = await readForm(request)
  const theme = z.enum(themes).safeParse(textOf(form, 'theme'))
  if (!theme.success) throw asPageError(new AppError('INVALID', 'theme must be light or dark.'))
  return redirect(ownPath(textOf(form, 'returnTo')), {
    status: 303,
    headers: { 'Set-Cookie': themeCookie(theme.data) },
  })
}

/** There is nothing to read here. */
export const loader = () => {
  throw asPageError(new AppError('NOT_FOUND', '404 Page Not Found'))
}

export default function NoPage() {
  return null
}
