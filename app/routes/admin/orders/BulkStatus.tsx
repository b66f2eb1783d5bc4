import { useCan } from '../frame/use-can.ts'
import { allowedStatuses } from './allowed-statuses.ts'
import { StatusForm } from './StatusForm.tsx'
import type { StatusTarget, useStatusChange } from './use-status-change.ts'

type BulkStatusProps = {
  target: StatusTarget
  change: Pick<ReturnType<typeof useStatusChange>, 'preview' | 'setOrderStatuses' | 'progress'>
  onDone: () => void
}

/** Sets one status for all selected orders. None is chosen at first. */
export function BulkStatus({
  target,
  change: { preview, setOrderStatuses, progress },
  onDone,
}: BulkStatusProps) {
  return (
    <>
      <StatusForm
        label="Set status of selected"
        placeholder="Choose a status"
        isWide
        options={allowedStatuses(useCan())}
        isBusy={progress !== null}
        target={JSON.stringify(target)}
        onPreview={(status) => preview(target, status)}
        onApply={(status, preview) => setOrderStatuses(target, status, preview, onDone)}
      />
      <span role="status" className="tabular-nums">
        {progress
          ? `${progress.done.toLocaleString('en-US')} of ${progress.of.toLocaleString('en-US')} done…`
          : ''}
      </span>
    </>
  )
}
