import type { SessionUser } from '#domain/accounts/accounts.ts'
import { paths } from '#domain/paths.ts'
import { redirectDocument, type RouterContextProvider } from 'react-router'
import { contextOf } from './request-context.server.ts'

/** Who is signed in; whoever is not is led to sign in, and from there to `returnTo`. */
export function requireSignedIn(
  args: { context: Readonly<RouterContextProvider> },
  returnTo: string,
): SessionUser {
  const { user } = contextOf(args)
  // As a document: what it leads to is no page of the router's.
  if (!user) throw redirectDocument(paths.api.loginFor(returnTo), 303)
  return user
}
