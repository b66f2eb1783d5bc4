import { formatDay } from '#domain/format-day.ts'
import type { ReactNode } from 'react'

export const Day = ({ iso }: { iso: string }) => <time dateTime={iso}>{formatDay(iso)}</time>

/** A name and its value in a list of facts. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </>
)
