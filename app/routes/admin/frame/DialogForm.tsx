import type { ComponentProps, ReactNode, Ref } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { focusFirstField } from '../../../ui/data-grid/focus-first-field.ts'
import { StaleNotice } from '../../../ui/data-grid/StaleNotice.tsx'
import { reportBadInput } from './report-bad-input.ts'

type DialogFormProps = {
  onSubmit: () => void
  onCancel: () => void
  submitLabel?: string
  submitKind?: 'primary' | 'danger'
  /** Whether the submit button is off. A stale edit turns it off as well. */
  isDisabled: boolean
  /** A stale edit, which the user must resolve before submitting. */
  stale?: ComponentProps<typeof StaleNotice> | null
  /** Why the last save failed, where the toast does not say it. */
  problem?: string | null
  /** By default, the first field takes the focus. */
  ref?: Ref<HTMLFormElement>
  children: ReactNode
}

/** The form of a dialog, with Cancel and the submit button below its fields. */
export const DialogForm = ({
  onSubmit,
  onCancel,
  submitLabel = 'Save',
  submitKind = 'primary',
  isDisabled,
  stale = null,
  problem = null,
  ref = focusFirstField,
  children,
}: DialogFormProps) => (
  <form
    ref={ref}
    noValidate
    className="grid gap-3"
    onSubmit={(event) => {
      event.preventDefault()
      if (!reportBadInput(event.currentTarget)) onSubmit()
    }}
  >
    {stale ? <StaleNotice {...stale} /> : null}
    {problem ? <Alert kind="error" title={problem} /> : null}
    {children}
    <DialogButtons>
      <Button type="button" kind="quiet" onClick={onCancel}>
        Cancel
      </Button>
      <Button kind={submitKind} disabled={isDisabled || stale !== null}>
        {submitLabel}
      </Button>
    </DialogButtons>
  </form>
)

/** The buttons of a dialog's form. They stay in sight while its fields scroll. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className="sticky -bottom-4 z-1 -mx-5 -mb-4 flex flex-wrap justify-end gap-2 border-t border-line bg-base-100 px-5 py-3">
    {children}
  </div>
)
