import type { ReactNode } from 'react'

/** What is known of something, each under its name; what is not known says so. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
    {facts.map(([name, value]) => (
      <div key={name} className="min-w-0">
        <dt className="text-muted">{name}</dt>
        <dd className="wrap-anywhere whitespace-pre-line">
          {value ?? <span className="text-muted">Not stated</span>}
        </dd>
      </div>
    ))}
  </dl>
)
