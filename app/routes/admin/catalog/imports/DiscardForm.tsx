import { Button } from '../../../../ui/Button.tsx'
import { Trash } from '../../../../ui/icons.tsx'
import { PostForm } from '../../../../ui/PostForm.tsx'

/** Discards a file without a confirmation: it can be uploaded again. */
export const DiscardForm = ({ isApplied }: { isApplied: boolean }) => (
  <PostForm>
    <Button kind="quiet" name="intent" value="discard">
      <Trash /> {isApplied ? 'Remove from list' : 'Discard file'}
    </Button>
  </PostForm>
)
