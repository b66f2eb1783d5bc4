import type { ReactNode } from 'react'

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** "Jan 5, 2026", in UTC. */
export const dayLabel = (iso: string): string => dayFormat.format(new Date(iso))

export const Day = ({ iso }: { iso: string }) => <time dateTime={iso}>{dayLabel(iso)}</time>

/** A name and its value in a list of facts. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </>
)
