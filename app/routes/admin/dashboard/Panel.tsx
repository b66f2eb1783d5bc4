import { useId, type ReactNode } from 'react'

/** A section of the dashboard: its title, a link to the full list, and an excerpt. */
export function Panel({ title, more, children }: { title: string; more?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="card min-w-0 p-4">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-3">
        <h2 id={id}>{title}</h2>
        {more ? <div className="ms-auto">{more}</div> : null}
      </div>
      {children}
    </section>
  )
}
