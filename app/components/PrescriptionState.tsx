import type { LineState } from '#domain/dispensing/line-state.ts'

/** The state of a line's prescription, as text. */
export const PrescriptionState = ({
  state: { kind, message },
}: {
  state: Pick<LineState, 'kind' | 'message'>
}) => <p className={`mt-1 text-sm font-medium ${colors[kind]}`}>{message}</p>

const colors = {
  covered: 'text-success',
  'to review': 'text-muted',
  choose: 'text-muted',
  refused: 'text-error',
} as const satisfies Record<LineState['kind'], string>
