import * as Toast from 'radix-ui/toast'
import type { ComponentType, ReactElement, ReactNode } from 'react'
import { dismissToast, type ActiveToast, type ToastMessage } from './toasts.ts'

/** The figures of the specification, section 9. */
const durationMs = 5000
const swipeThreshold = 50
const hotkey = ['F8']

/**
 * Radix announces each text in a container of its own. This detached one mutes it: our region is
 * already live.
 */
const silentAnnouncer = document.createElement('div')

type ToastLayerProps = {
  /** A toast's content. Passed in, because an import would put it into a third, shared file. */
  Card: ComponentType<{ message: ToastMessage; close: ReactNode }>
  /** The dismiss button. */
  close: ReactElement
  toast: ActiveToast | null
  /** The toast that was on the page before this module loaded. */
  replacesId: number
  /** Called when the toast with this id has mounted. */
  onMounted: (id: number) => void
}

/**
 * The behavior of toasts: timing, swiping, the hotkey. A module of its own, loaded with the first
 * toast.
 */
export const ToastLayer = ({ Card, close, toast, replacesId, onMounted }: ToastLayerProps) => (
  <Toast.Provider
    duration={durationMs}
    swipeDirection="right"
    swipeThreshold={swipeThreshold}
    announcerContainer={silentAnnouncer}
  >
    {toast ? (
      <Toast.Root
        key={toast.id}
        ref={(element) => {
          if (element) onMounted(toast.id)
        }}
        open={toast.open}
        onOpenChange={(open) => {
          if (!open) dismissToast(toast.id)
        }}
        className="toast"
        data-kind={toast.kind}
        data-settled={toast.id === replacesId || undefined}
      >
        <Card message={toast} close={<Toast.Close asChild>{close}</Toast.Close>} />
      </Toast.Root>
    ) : null}
    <Toast.Viewport hotkey={hotkey} />
  </Toast.Provider>
)
