/** Who somebody is, in the provider's word. */
export type Identity = {
  issuer: string
  subject: string
  email: string | null
  /** Whether the provider itself has seen that the address is theirs. */
  isEmailVerified: boolean
  firstName: string | null
  lastName: string | null
}

/** What the answer is held against, known to the browser that asked alone. */
export type SignInChecks = { state: string; nonce: string; codeVerifier: string }

/** The port to whoever signs people in for the shop. */
export type IdentityProvider = {
  /** Where the browser goes to sign in. Throws UNAVAILABLE when the provider does not answer. */
  begin: (callback: string) => Promise<{ url: string; checks: SignInChecks }>
  /**
   * Who came back to the callback's whole address. Throws FORBIDDEN when it is no answer to what this browser asked, when it was
   * used already, or when they were not let in; UNAVAILABLE when the provider does not answer.
   */
  finish: (answered: URL, checks: SignInChecks) => Promise<Identity>
}
