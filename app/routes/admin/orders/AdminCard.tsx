import { useId, type ReactNode } from 'react'

/** A section of a back-office page under its own heading. */
export function AdminCard({ title, children }: { title: string; children: ReactNode }) {
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

type FactsProps = { facts: readonly (readonly [name: string, fact: ReactNode])[] }

/** What a customer entered about a prescription, which is not verified. */
export const CustomerClaims = ({ facts }: FactsProps) => (
  <>
    <h3 className="mt-3 mb-1 font-semibold">What the customer entered (not verified)</h3>
    <Facts facts={facts} />
  </>
)

/** A list of facts, each after its name. */
export const Facts = ({ facts }: FactsProps) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
    {facts.map(([name, fact]) => (
      <div key={name} className="contents">
        <dt className="text-muted">{name}</dt>
        <dd className="wrap-anywhere">{fact}</dd>
      </div>
    ))}
  </dl>
)
