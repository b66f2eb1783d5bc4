/** A person's identity according to the provider. */
export type Identity = {
  issuer: string
  subject: string
  email: string | null
  /** Whether the provider has verified the address. */
  isEmailVerified: boolean
  firstName: string | null
  lastName: string | null
}

/**
 * Secrets that verify the provider's answer; only the browser that started the sign-in has them.
 */
export type SignInChecks = { state: string; nonce: string; codeVerifier: string }

/** The port to the identity provider. */
export type IdentityProvider = {
  /** Returns the URL to sign in at. Throws UNAVAILABLE when the provider does not answer. */
  startSignIn: (callback: string) => Promise<{ url: string; checks: SignInChecks }>
  /**
   * Verifies the provider's answer. Throws FORBIDDEN when this browser did not start the sign-in,
   * when the answer was used before or the provider denied access; UNAVAILABLE when the provider
   * does not answer.
   * @param callbackUrl the callback's full URL with the answer
   */
  finishSignIn: (callbackUrl: URL, checks: SignInChecks) => Promise<Identity>
}
