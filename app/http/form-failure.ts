/** The response to a failed form: what was typed, a general message, and messages by field. */
export type FormFailure = {
  /** Which of a page's forms; empty on pages with one form. */
  intent: string
  values: Record<string, string>
  message: string | null
  fields: Record<string, string>
  /** The request did not reach the server. */
  isUnreachable?: true
}
