import type { ReactNode } from 'react'

/** A list of facts, each under its name; a missing one reads "Not specified". */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
    {facts.map(([name, value]) => (
      <div key={name} className="min-w-0">
        <dt className="text-muted">{name}</dt>
        <dd className="wrap-anywhere whitespace-pre-line">
          {value ?? <span className="text-muted">Not specified</span>}
        </dd>
      </div>
    ))}
  </dl>
)
