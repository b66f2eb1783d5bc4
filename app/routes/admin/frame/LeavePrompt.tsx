import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from '../../../ui/data-grid/ConfirmDialog.tsx'

/**
 * Asks before a page is left or reloaded with a typed text that is stored nowhere. The form's own
 * page is not left by sending it.
 */
export function LeavePrompt({ isTyped }: { isTyped: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isTyped && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isTyped) return undefined
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isTyped])
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title="Discard what you typed?"
      actionLabel="Discard"
      isBusy={false}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      <p>It is not saved.</p>
    </ConfirmDialog>
  )
}
