import type { ReactNode } from 'react'

/** A titled list of facts. */
export const Facts = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <h3 className="mb-1 font-semibold">{title}</h3>
    <dl className="grid grid-cols-[7rem_1fr] gap-x-3 gap-y-1">{children}</dl>
  </section>
)

/** One fact; a missing one reads "Not specified". */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="wrap-anywhere whitespace-pre-line">
      {children ?? <span className="text-muted">Not specified</span>}
    </dd>
  </>
)
