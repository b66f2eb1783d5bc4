import type { FormFailure } from '../../../http/form-failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { Field } from '../../../ui/Field.tsx'
import { PostForm, useIsPosting } from '../../../ui/PostForm.tsx'

type ReceiveLotProps = {
  variantId: string
  /** Identifies the submission, so that sending the form twice adds the units once. */
  requestKey: string
  failure: FormFailure | null
}

/** Adds received units of a lot to a variant's stock. */
export function ReceiveLot({ variantId, requestKey, failure }: ReceiveLotProps) {
  const isSending = useIsPosting()
  const fields = failure?.fields ?? {}
  const typed = failure?.values ?? {}
  const sentKey = failure?.isConflict ? undefined : typed['requestKey']
  return (
    <PostForm noValidate={false} className="card max-w-3xl p-4" aria-labelledby="receive">
      <h2 id="receive" className="mb-3">
        Receive units
      </h2>
      {failure ? <ErrorSummary title={failure.message ?? 'Check the receipt.'} fields={fields} /> : null}
      <input type="hidden" name="variantId" value={variantId} />
      {/* Without a conflict, a failed form keeps its key: the units may have been added. */}
      <input type="hidden" name="requestKey" value={sentKey ?? requestKey} />
      <input type="hidden" name="transactionType" value="purchase" />
      <div className="grid gap-3 sm:grid-cols-3">
        <Field
          id="lotNumber"
          label="Lot number"
          name="lotNumber"
          defaultValue={typed['lotNumber']}
          error={fields['lotNumber']}
          autoComplete="off"
          required
        />
        <Field
          id="expiryDate"
          label="Expiry date"
          name="expiryDate"
          type="date"
          defaultValue={typed['expiryDate']}
          error={fields['expiryDate']}
          hint="If the package shows only a month, enter its last day."
        />
        <Field
          id="quantityChange"
          label="Quantity"
          name="quantityChange"
          type="number"
          min="1"
          step="1"
          defaultValue={typed['quantityChange']}
          error={fields['quantityChange']}
          required
        />
      </div>
      <Field
        id="notes"
        className="mt-3"
        label="Notes"
        name="notes"
        defaultValue={typed['notes']}
        error={fields['notes']}
      />
      <Button kind="primary" className="mt-3" aria-disabled={isSending || undefined}>
        Receive
      </Button>
    </PostForm>
  )
}
