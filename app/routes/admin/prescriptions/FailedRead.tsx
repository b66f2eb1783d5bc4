import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'

type FailedReadProps = {
  /** Why the case could not be read again. */
  message: string
  /** The step that was done before: "Cleared: Lisinopril". Null when there was none. */
  done: string | null
  isReading: boolean
  onReload: () => void
}

/** Above a case that could not be read again: it shows an earlier state. */
export const FailedRead = ({ message, done, isReading, onReload }: FailedReadProps) => (
  <Alert
    kind="error"
    title="What you see may be out of date"
    action={
      <Button type="button" aria-disabled={isReading || undefined} onClick={() => !isReading && onReload()}>
        Reload the case
      </Button>
    }
  >
    {done === null ? null : <p>Your last step succeeded. Don’t repeat it. ({done})</p>}
    <p>The case couldn’t be loaded again.</p>
    <p>{message}</p>
  </Alert>
)
