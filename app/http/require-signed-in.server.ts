import type { SessionUser } from '#domain/accounts/accounts.ts'
import { redirectDocument, type RouterContextProvider } from 'react-router'
import { contextOf } from './request-context.server.ts'

/** Who is signed in; whoever is not is led to sign in, and from there to `returnTo`. */
export function signedInOrLed(
  args: { context: Readonly<RouterContextProvider> },
  returnTo: string,
): SessionUser {
  const { user } = contextOf(args)
  // As a document: what it leads to is no page of the router's.
  if (!user) throw redirectDocument(`/api/login?returnTo=${encodeURIComponent(returnTo)}`, 303)
  return user
}
