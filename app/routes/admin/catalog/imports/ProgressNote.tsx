import type { ImportProgress } from '#server/catalog/csv/get-import.ts'
import { useEffect, useId } from 'react'
import { useRevalidator } from 'react-router'
import { trpc } from '../../../../http/trpc.ts'

type ProgressNoteProps = { id: string; loaded: ImportProgress }

const pollMs = 1000

/**
 * The progress of a file, polled while it is checked or applied. Without scripts, the page reloads
 * itself.
 */
export function ProgressNote({ id, loaded }: ProgressNoteProps) {
  const labelId = useId()
  const { revalidate } = useRevalidator()
  const { data } = trpc.imports.progress.useQuery({ id }, { initialData: loaded, refetchInterval: pollMs })
  const isFinished = data.status !== loaded.status
  useEffect(() => {
    if (isFinished) void revalidate()
  }, [isFinished, revalidate])
  const { done, total } = data
  return (
    <div className="card border border-line p-4" role="status">
      <noscript>
        <meta httpEquiv="refresh" content="2" />
      </noscript>
      <p id={labelId} className="font-semibold">
        {loaded.status === 'checking' ? 'Checking the lines…' : 'Applying the lines…'}
      </p>
      <progress
        className="my-2 block h-2 w-full accent-primary"
        aria-labelledby={labelId}
        value={done}
        max={Math.max(total, 1)}
      />
      <p className="tabular-nums">
        {done.toLocaleString('en-US')} of {total.toLocaleString('en-US')}
      </p>
      <p className="mt-2 text-muted">You can leave this page. The import continues in the background.</p>
    </div>
  )
}
