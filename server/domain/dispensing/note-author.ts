import { formatDay } from '../format-day.ts'
import type { DecisionNote } from './clearance.ts'

/** Who wrote a note and when. The text of one about an alert says already who decided and when. */
export const noteAuthor = ({
  kind,
  by,
  at,
}: {
  kind: DecisionNote['kind']
  by: string
  at: string
}): string => (kind === 'alert' ? '' : `(${by}, ${formatDay(at)})`)
