import { AppError } from '#domain/errors.ts'
import { paths } from '#domain/paths.ts'
import type { Env } from '#server/env.ts'
import { redirect } from 'react-router'
import { asPageError } from './page-loader.server.ts'

/** A page about passwords: where an identity provider signs in it leads to the page that leads there. */
export function needOwnAccounts(env: Env): void {
  if (env.oidc) throw redirect(paths.login)
}

/** What is posted about passwords where an identity provider signs in goes nowhere. */
export function refuseWithoutOwnAccounts(env: Env): void {
  if (env.oidc) throw asPageError(new AppError('NOT_FOUND', '404 Page Not Found'))
}
