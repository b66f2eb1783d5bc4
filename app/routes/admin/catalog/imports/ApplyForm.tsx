import type { ImportCounts } from '#server/catalog/csv/get-import.ts'
import { Form, useNavigation } from 'react-router'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/Button.tsx'

type ApplyFormProps = { counts: ImportCounts }

const many = (count: number, one: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : `${one}s`}`

/** The step that changes something, and what it would change. Refused lines stand in its way until one leaves them out. */
export function ApplyForm({ counts: { added, changed, refused } }: ApplyFormProps) {
  const isApplying = useNavigation().formData?.get('intent') === 'apply'
  if (added + changed === 0) {
    return (
      <Alert kind="info" title="No line changes anything.">
        {refused > 0 ? <p>{many(refused, 'line')} refused: see the reasons below.</p> : null}
      </Alert>
    )
  }
  return (
    <Form
      method="post"
      className="card border border-line p-4"
      onSubmit={(event) => {
        if (isApplying) event.preventDefault()
      }}
    >
      <p>
        Applying adds {many(added, 'variant')} and changes {many(changed, 'variant')}. Nothing is changed
        until then.
      </p>
      {refused > 0 ? (
        <label className="mt-2 flex min-h-9 items-center gap-2">
          <input type="checkbox" name="leavesOut" className="grid-check" required />
          Leave out the {refused === 1 ? 'refused line' : `${refused.toLocaleString('en-US')} refused lines`}
        </label>
      ) : null}
      <div className="mt-3">
        <Button kind="primary" name="intent" value="apply" aria-disabled={isApplying || undefined}>
          {isApplying ? 'Applying…' : `Apply ${many(added + changed, 'line')}`}
        </Button>
      </div>
    </Form>
  )
}
