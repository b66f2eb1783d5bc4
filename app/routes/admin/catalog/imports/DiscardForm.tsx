import { Form } from 'react-router'
import { Button } from '../../../../ui/Button.tsx'
import { Trash } from '../../../../ui/icons.tsx'

/** Discards a file without a confirmation: it can be uploaded again. */
export const DiscardForm = ({ isApplied }: { isApplied: boolean }) => (
  <Form method="post">
    <Button kind="quiet" name="intent" value="discard">
      <Trash /> {isApplied ? 'Remove from list' : 'Discard file'}
    </Button>
  </Form>
)
