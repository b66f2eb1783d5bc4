import { AppError } from '#domain/errors.ts'
import { paths } from '#domain/paths.ts'
import type { Env } from '#server/env.ts'
import { redirect } from 'react-router'
import { toPageError } from './page-loader.server.ts'

/** For password pages: redirects to the sign-in page when an identity provider is configured. */
export function redirectToProviderSignIn(env: Env): void {
  if (env.oidc) throw redirect(paths.login)
}

/** For password forms: responds with 404 when an identity provider is configured. */
export function requireLocalAccounts(env: Env): void {
  if (env.oidc) throw toPageError(new AppError('NOT_FOUND', '404 Page Not Found'))
}
