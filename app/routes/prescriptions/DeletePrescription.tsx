import { Form, useNavigation } from 'react-router'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Trash } from '../../ui/icons.tsx'

type Named = { id: string; name: string }

const question = 'Delete this prescription?'

const Consequence = ({ name }: { name: string }) => (
  <p>
    <b className="font-semibold wrap-anywhere">{name}</b> and its file are deleted for good. This cannot be
    undone.
  </p>
)

/** The form itself; a second press while the first is on its way sends nothing. */
function DeleteForm({ id }: { id: string }) {
  const { formData } = useNavigation()
  const deleting = formData?.get('id') === id
  return (
    <Form
      method="post"
      action="/prescriptions"
      onSubmit={(event) => {
        if (deleting) event.preventDefault()
      }}
    >
      <input type="hidden" name="id" value={id} />
      <Button kind="danger" name="intent" value="delete" aria-disabled={deleting || undefined}>
        {deleting ? 'Deleting…' : 'Delete'}
      </Button>
    </Form>
  )
}

/** Asks before it deletes. Before and without scripts it leads to the question on the page. */
export const DeleteButton = ({ id, name, onAsk }: Named & { onAsk: () => void }) => (
  <form method="get" action="/prescriptions">
    <Button
      kind="quiet"
      name="delete"
      value={id}
      aria-label={`Delete ${name}`}
      onClick={(event) => {
        event.preventDefault()
        onAsk()
      }}
    >
      <Trash />
      Delete
    </Button>
  </form>
)

/** The question over the page. */
export const DeleteDialog = ({ asked, onClose }: { asked: Named | null; onClose: () => void }) => (
  <Dialog
    open={asked !== null}
    onClose={onClose}
    title={question}
    footer={
      asked ? (
        <div className="flex flex-wrap justify-end gap-3">
          <Button type="button" onClick={onClose}>
            Cancel
          </Button>
          <DeleteForm id={asked.id} />
        </div>
      ) : null
    }
  >
    {asked ? <Consequence name={asked.name} /> : null}
  </Dialog>
)

/** The question on the page, where no script opens a dialog. */
export const DeleteQuestion = ({ asked }: { asked: Named }) => (
  <section aria-labelledby="delete" className="card border-error/60 p-5">
    <h2 id="delete" className="text-lg">
      {question}
    </h2>
    <div className="mt-2">
      <Consequence name={asked.name} />
    </div>
    <div className="mt-4 flex flex-wrap gap-3">
      <LinkButton to="/prescriptions">Cancel</LinkButton>
      <DeleteForm id={asked.id} />
    </div>
  </section>
)
