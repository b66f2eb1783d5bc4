import type { ImportDetails } from '#server/catalog/csv/get-import.ts'
import { useNavigation } from 'react-router'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { GridLink } from '../../../../ui/data-grid/GridLink.tsx'
import { useGridUrl } from '../../../../ui/data-grid/grid-url.ts'
import { PostForm } from '../../../../ui/PostForm.tsx'

type ApplyFormProps = { file: Pick<ImportDetails, 'counts' | 'round' | 'warned'> }

const countLabel = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? noun : `${noun}s`}`

/** Applies the checked file. While lines are rejected, the admin must confirm leaving them out. */
export function ApplyForm({ file: { counts, round, warned } }: ApplyFormProps) {
  const { added, changed, refused } = counts
  const url = useGridUrl()
  const isApplying = useNavigation().formData?.get('intent') === 'apply'
  if (added + changed === 0) {
    return (
      <Alert kind="info" title="This file doesn’t change anything.">
        {refused > 0 ? <p>{countLabel(refused, 'line')} rejected. See the reasons below.</p> : null}
      </Alert>
    )
  }
  return (
    <PostForm noValidate={false} className="card border border-line p-4">
      <input type="hidden" name="round" value={round} />
      <p>
        This file adds {countLabel(added, 'variant')} and changes {countLabel(changed, 'variant')}. Nothing
        changes until you apply it.
      </p>
      {warned > 0 ? (
        <p className="mt-2 font-medium text-warning">
          Check {countLabel(warned, 'line')} first, for a different package or a typo in the price.{' '}
          <GridLink url={url} change={{ outcome: 'warned' }} className="text-link">
            Show them
          </GridLink>
        </p>
      ) : null}
      {refused > 0 ? (
        <label className="mt-2 flex min-h-9 items-center gap-2">
          <input type="checkbox" name="leavesOut" className="grid-check" required />
          Skip the {refused === 1 ? 'rejected line' : `${refused.toLocaleString('en-US')} rejected lines`}
        </label>
      ) : null}
      <div className="mt-3">
        <Button kind="primary" name="intent" value="apply" aria-disabled={isApplying || undefined}>
          {isApplying ? 'Applying…' : `Apply ${countLabel(added + changed, 'line')}`}
        </Button>
      </div>
    </PostForm>
  )
}
