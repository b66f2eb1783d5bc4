import { useEffect } from 'react'

/** How long a save may take. */
const waitMs = 20_000

/**
 * After a submission that was refused, moves the focus and the view to the first field with an
 * error, in every form of the back office. An error summary that has the focus keeps it. It stops
 * when the user types on.
 */
export function useFirstError(): void {
  useEffect(() => {
    let stop = (): void => {}
    const onSubmit = ({ target }: SubmitEvent): void => {
      stop()
      if (!(target instanceof HTMLElement)) return
      // The form itself may be replaced by the response.
      const container = target.closest<HTMLElement>('dialog, main') ?? document.body
      const find = (): void => {
        const field = container.querySelector<HTMLElement>('[aria-invalid=true]')
        if (!field) return
        stop()
        if (document.activeElement?.matches('[role=alert]')) return
        field.focus({ preventScroll: true })
        field.scrollIntoView({ block: 'center' })
      }
      const observer = new MutationObserver(find)
      observer.observe(container, { subtree: true, childList: true, attributeFilter: ['aria-invalid'] })
      container.addEventListener('input', () => stop(), { once: true })
      // Errors that the form showed already cause no mutation.
      const now = setTimeout(find)
      const end = setTimeout(() => stop(), waitMs)
      stop = () => {
        observer.disconnect()
        clearTimeout(now)
        clearTimeout(end)
      }
    }
    document.addEventListener('submit', onSubmit)
    return () => {
      stop()
      document.removeEventListener('submit', onSubmit)
    }
  }, [])
}
