import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from '../../../ui/data-grid/ConfirmDialog.tsx'

/**
 * Asks before a page is left or reloaded with a typed text that is stored nowhere. The form's own
 * page is not left by sending it. Mount it only while something is typed: with a blocker, the
 * router warns about every link to a fragment.
 */
export function LeavePrompt() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title="Discard what you typed?"
      actionLabel="Discard"
      isBusy={false}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      <p>Your text hasn’t been saved.</p>
    </ConfirmDialog>
  )
}
