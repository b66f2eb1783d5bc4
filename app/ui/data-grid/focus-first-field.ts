/**
 * For a `ref`: where the focus goes when a dialog opens, of a form its first field. React's own `autoFocus` comes before the dialog is
 * shown, and so to nothing.
 */
export function beginHere(element: HTMLElement | null): void {
  const field = element?.matches('form') ? element.querySelector('input, select, textarea') : element
  field?.setAttribute('autofocus', '')
}
