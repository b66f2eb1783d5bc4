/** The fields of a form by name, as typed. */
export type Fields = Readonly<Record<string, string>>

/** What a form holds now. An unchecked box is missing. */
export const readFields = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

/**
 * A day as it is usually typed in the US, or as ISO 8601: "1/31/2026", "01312026", "2026-01-31".
 * Any other text stays, and the server says what is wrong with it.
 */
export function toIsoDay(typed: string): string {
  const text = typed.trim()
  const [, month, day, year] =
    /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4}|\d{2})$/.exec(text) ??
    /^(\d{2})(\d{2})(\d{4}|\d{2})$/.exec(text) ??
    []
  if (!month || !day || !year) return text
  return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** A text field's value and error, by its name in the form. */
export const textField = (name: string, initial: Fields, errors: Fields) => ({
  name,
  autoComplete: 'off',
  defaultValue: initial[name] ?? '',
  error: errors[name],
})
