import type { ReactNode } from 'react'

export const Card = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="card p-5">
    <h2 className="mb-3">{title}</h2>
    {children}
  </section>
)

/** The text of a tab that has nothing to list. */
export const EmptyCard = ({ children }: { children: string }) => (
  <div className="card px-6 py-12 text-center">{children}</div>
)
