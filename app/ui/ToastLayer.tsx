import * as Toast from 'radix-ui/toast'
import type { ComponentType, ReactElement, ReactNode } from 'react'
import { dismissToast, type Shown, type ToastMessage } from './toasts.ts'

/** The figures of the specification, section 9. */
const durationMs = 5000
const swipeThreshold = 50
const hotkey = ['F8']

/** Radix repeats each text in an announcer of its own. Here it speaks to nobody: the region around is live itself. */
const silence = document.createElement('div')

type ToastLayerProps = {
  /** What stands in a toast. Given, because a page that has it already would else share it as one more file. */
  Card: ComponentType<{ message: ToastMessage; close: ReactNode }>
  /** The button that puts it away. */
  close: ReactElement
  toast: Shown | null
  /** The toast that stood on the page before this module came. */
  takesOver: number
  /** Told when the toast of this id stands on the page. */
  onStanding: (id: number) => void
}

/** The toasts' behaviour: timing, swiping, the hotkey. A module of its own, fetched when the first one is to be shown. */
export const ToastLayer = ({ Card, close, toast, takesOver, onStanding }: ToastLayerProps) => (
  <Toast.Provider
    duration={durationMs}
    swipeDirection="right"
    swipeThreshold={swipeThreshold}
    announcerContainer={silence}
  >
    {toast ? (
      <Toast.Root
        key={toast.id}
        ref={(element) => {
          if (element) onStanding(toast.id)
        }}
        open={toast.open}
        onOpenChange={(open) => {
          if (!open) dismissToast(toast.id)
        }}
        className="toast"
        data-kind={toast.kind}
        data-settled={toast.id === takesOver || undefined}
      >
        <Card message={toast} close={<Toast.Close asChild>{close}</Toast.Close>} />
      </Toast.Root>
    ) : null}
    <Toast.Viewport hotkey={hotkey} />
  </Toast.Provider>
)
