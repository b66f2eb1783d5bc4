import { Form } from 'react-router'
import { Button } from '../../../../ui/Button.tsx'
import { Trash } from '../../../../ui/icons.tsx'

/** Throws a file away: it can be brought again, so nobody is asked. */
export const DiscardForm = ({ isApplied }: { isApplied: boolean }) => (
  <Form method="post">
    <Button kind="quiet" name="intent" value="discard">
      <Trash /> {isApplied ? 'Remove from the list' : 'Discard the file'}
    </Button>
  </Form>
)
