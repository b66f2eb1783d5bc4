/**
 * For a `ref`: receives the focus when a dialog opens; in a form, its first field does. React's own
 * `autoFocus` runs before the dialog opens, and so has no effect.
 */
export function focusFirstField(element: HTMLElement | null): void {
  const field = element?.matches('form') ? element.querySelector('input, select, textarea') : element
  field?.setAttribute('autofocus', '')
}
