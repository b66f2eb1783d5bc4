import type { ImportProgress } from '#server/catalog/csv/get-import.ts'
import { useEffect, useId } from 'react'
import { useRevalidator } from 'react-router'
import { trpc } from '../../../../http/trpc.ts'

type ProgressNoteProps = { id: string; loaded: ImportProgress }

const askEveryMs = 1000

/** How far a file is, asked for while something is done about it and no longer; without scripts the page is read anew. */
export function ProgressNote({ id, loaded }: ProgressNoteProps) {
  const label = useId()
  const { revalidate } = useRevalidator()
  const { data } = trpc.imports.progress.useQuery(
    { id },
    { initialData: loaded, refetchInterval: askEveryMs },
  )
  const isOver = data.status !== loaded.status
  useEffect(() => {
    if (isOver) void revalidate()
  }, [isOver, revalidate])
  const { done, of } = data
  return (
    <div className="card border border-line p-4" role="status">
      <noscript>
        <meta httpEquiv="refresh" content="2" />
      </noscript>
      <p id={label} className="font-semibold">
        {loaded.status === 'checking' ? 'Checking the lines…' : 'Applying the lines…'}
      </p>
      <progress
        className="my-2 block h-2 w-full accent-primary"
        aria-labelledby={label}
        value={done}
        max={Math.max(of, 1)}
      />
      <p className="tabular-nums">
        {done.toLocaleString('en-US')} of {of.toLocaleString('en-US')}
      </p>
      <p className="mt-2 text-muted">You may leave this page: it goes on by itself.</p>
    </div>
  )
}
