import { useId, type ReactNode } from 'react'

/** A part of a page of the back office under its own heading. */
export function DeskCard({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="card min-w-0 p-4">
      <h2 id={id} className="mb-2 font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** Facts, each with its name before it. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, fact: ReactNode])[] }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
    {facts.map(([name, fact]) => (
      <div key={name} className="contents">
        <dt className="text-muted">{name}</dt>
        <dd className="wrap-anywhere">{fact}</dd>
      </div>
    ))}
  </dl>
)

const momentFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
  // Not `hour12`: of midnight some make 24.
  hourCycle: 'h23',
})

/** "Jan 5, 2024, 14:03", in UTC. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at}>{momentFormat.format(new Date(at))}</time>
)
