import type { DraftSaving } from './use-case-draft.ts'

/** Below a form: whether what was typed into it is saved as a draft. */
export const DraftState = ({ state }: { state: DraftSaving | null }) => (
  <p className="text-muted" role="status">
    {state === 'saved' ? 'Draft saved.' : null}
    {state === 'failed' ? 'The draft could not be saved. Check your connection.' : null}
  </p>
)
