/** What a form that was refused gets back: what was typed, what is wrong in general, and by field. */
export type FormFailure = {
  /** Which of a page's forms; empty where it has one. */
  intent: string
  values: Record<string, string>
  message: string | null
  fields: Record<string, string>
  /** Nobody heard of it: the connection failed. */
  unreached?: true
}
