/**
 * Shows the browser's message at half a date, or "1-2" as an amount, and returns whether there is
 * one. The browser reports it as an empty value: saving it would clear the stored one. A whole
 * number that is not one counts as 0 (specification, section 5).
 */
export function reportBadInput(form: HTMLFormElement): boolean {
  const field = [...form.querySelectorAll<HTMLInputElement>('[type=date], [inputmode=decimal]')].find(
    ({ validity }) => validity.badInput,
  )
  field?.reportValidity()
  return field !== undefined
}
