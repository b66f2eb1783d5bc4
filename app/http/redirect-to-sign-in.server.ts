import { paths } from '#domain/paths.ts'
import { redirectDocument } from 'react-router'

/**
 * Redirects a visitor, or a customer whose session was lost, to sign-in, and from there to
 * `returnTo`. It is a document redirect, because sign-in is not one of the router's pages.
 */
export const redirectToSignIn = (returnTo: string): Response =>
  redirectDocument(paths.api.loginFor(returnTo), 303)
