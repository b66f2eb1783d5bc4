import type { ReactNode } from 'react'
import { Button } from '../Button.tsx'
import { Dialog } from '../Dialog.tsx'

type ConfirmDialogProps = {
  open: boolean
  title: string
  /** The label of the button that performs the action: "Delete". */
  actionLabel: string
  /** Whether it cannot be undone. */
  isDanger?: boolean
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** A confirmation: `Cancel` first, the action last. */
export const ConfirmDialog = ({
  open,
  title,
  actionLabel,
  isDanger = true,
  isBusy,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title={title}
    role="alertdialog"
    footer={
      <div className="flex justify-end gap-2">
        <Button type="button" kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="button" kind={isDanger ? 'danger' : 'primary'} disabled={isBusy} onClick={onConfirm}>
          {actionLabel}
        </Button>
      </div>
    }
  >
    {children}
  </Dialog>
)
