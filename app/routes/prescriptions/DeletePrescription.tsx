import { paths } from '#domain/paths.ts'
import { useNavigation } from 'react-router'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Trash } from '../../ui/icons.tsx'
import { PostForm } from '../../ui/PostForm.tsx'

type NamedPrescription = { id: string; name: string }

const title = 'Delete this prescription?'

const Consequence = ({ name }: { name: string }) => (
  <p>
    The prescription “<b className="font-semibold wrap-anywhere">{name}</b>” and its file will be permanently
    deleted. You can’t undo this.
  </p>
)

/** The form that deletes it. */
function DeleteForm({ id }: { id: string }) {
  const { formData } = useNavigation()
  const isDeleting = formData?.get('id') === id
  return (
    <PostForm action={paths.prescriptions}>
      <input type="hidden" name="id" value={id} />
      <Button kind="danger" name="intent" value="delete" aria-disabled={isDeleting || undefined}>
        {isDeleting ? 'Deleting…' : 'Delete'}
      </Button>
    </PostForm>
  )
}

/**
 * Opens the confirmation dialog. Without JavaScript it loads the page with the confirmation on it.
 */
export const DeleteButton = ({ id, name, onOpen }: NamedPrescription & { onOpen: () => void }) => (
  <form method="get" action={paths.prescriptions}>
    <Button
      kind="quiet"
      name="delete"
      value={id}
      aria-label={`Delete ${name}`}
      onClick={(event) => {
        event.preventDefault()
        onOpen()
      }}
    >
      <Trash />
      Delete
    </Button>
  </form>
)

/** The confirmation in a dialog. */
export const DeleteDialog = ({
  prescription,
  onClose,
}: {
  prescription: NamedPrescription | null
  onClose: () => void
}) => (
  <Dialog
    open={prescription !== null}
    onClose={onClose}
    title={title}
    role="alertdialog"
    footer={
      prescription ? (
        <div className="flex flex-wrap justify-end gap-3">
          <Button type="button" onClick={onClose}>
            Cancel
          </Button>
          <DeleteForm id={prescription.id} />
        </div>
      ) : null
    }
  >
    {prescription ? <Consequence name={prescription.name} /> : null}
  </Dialog>
)

/** The confirmation on the page, for browsers without JavaScript. */
export const DeleteQuestion = ({ prescription }: { prescription: NamedPrescription }) => (
  <section aria-labelledby="delete" className="card border-error/60 p-5">
    <h2 id="delete" className="text-lg">
      {title}
    </h2>
    <div className="mt-2">
      <Consequence name={prescription.name} />
    </div>
    <div className="mt-4 flex flex-wrap gap-3">
      <LinkButton to={paths.prescriptions}>Cancel</LinkButton>
      <DeleteForm id={prescription.id} />
    </div>
  </section>
)
