import type { ReactNode } from 'react'
import { Dialog } from '../../../ui/Dialog.tsx'

type RowDialogProps<Row> = {
  edited: Row | 'new' | null
  /** What a row is: "Pharmacy". */
  entity: string
  onClose: () => void
  /** The form; its row is null for a new one. */
  children: (row: Row | null) => ReactNode
}

/** The dialog that creates or edits a row of a grid. */
export const RowDialog = <Row,>({ edited, entity, onClose, children }: RowDialogProps<Row>) => (
  <Dialog
    open={edited !== null}
    onClose={onClose}
    title={edited === 'new' ? `Add ${entity}` : `Edit ${entity}`}
  >
    {edited ? children(edited === 'new' ? null : edited) : null}
  </Dialog>
)
