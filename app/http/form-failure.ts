/** The response to a failed form: what was typed, a general message, and messages by field. */
export type FormFailure = {
  /** Which of a page's forms; empty on pages with one form. */
  intent: string
  values: Record<string, string>
  message: string | null
  fields: Record<string, string>
  /** The session has ended: the page offers to sign in again. */
  isSignedOut?: true
  /**
   * Recorded data conflicts with the request, so the request's key recorded nothing, or something
   * else: the form needs a new key.
   */
  isConflict?: true
  /** The request did not reach the server. */
  isUnreachable?: true
}

/** Whether a failure is about fields, which say why. */
export const hasFields = ({ fields }: Pick<FormFailure, 'fields'>): boolean => Object.keys(fields).length > 0

/** Fields whose values are never shown again. */
const secretField = /password|(?<!zip)code$|^card(number|cvc)$/i

/** The typed values, for showing the form again. */
export const typedValues = (form: FormData): Pick<FormFailure, 'intent' | 'values'> => {
  const typed = Object.fromEntries(
    [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
  const values = Object.fromEntries(Object.entries(typed).filter(([name]) => !secretField.test(name)))
  return { intent: typed['intent'] ?? '', values }
}
