import { dollars } from '#domain/money.ts'
import { Form, useNavigation } from 'react-router'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Ban } from '../../ui/icons.tsx'
import { countItems, type ShownOrder } from './shown-order.ts'

const question = 'Cancel this order?'

const Consequence = ({ order: { total, items } }: { order: ShownOrder }) => (
  <>
    <p>
      <b className="font-semibold tabular-nums">{dollars(total)}</b> goes back to the card that you paid with,
      in full, and {countItems(items)} {countItems(items) === '1 item' ? 'returns' : 'return'} to our stock.
      Nothing has been shipped yet.
    </p>
    <p className="mt-2 text-muted">
      A cancelled order cannot be taken up again, but you can order the same once more.
    </p>
  </>
)

/** The form itself; a second press while the first is on its way sends nothing. */
function CancelForm({ id }: { id: string }) {
  const isSending = useNavigation().formData?.get('intent') === 'cancel'
  return (
    <Form
      method="post"
      action={`/orders/${id}`}
      onSubmit={(event) => {
        if (isSending) event.preventDefault()
      }}
    >
      <Button kind="danger" name="intent" value="cancel" aria-disabled={isSending || undefined}>
        {isSending ? 'Cancelling…' : 'Cancel order'}
      </Button>
    </Form>
  )
}

/** Asks before it cancels. Before and without scripts it leads to the question on the page. */
export const CancelButton = ({ id, onAsk }: { id: string; onAsk: () => void }) => (
  <form method="get" action={`/orders/${id}`}>
    <Button
      kind="quiet"
      className="max-sm:w-full"
      name="cancel"
      value="ask"
      onClick={(event) => {
        event.preventDefault()
        onAsk()
      }}
    >
      <Ban />
      Cancel order
    </Button>
  </form>
)

type DialogProps = { order: ShownOrder; isOpen: boolean; onClose: () => void }

/** The question over the page. */
export const CancelDialog = ({ order, isOpen, onClose }: DialogProps) => (
  <Dialog
    open={isOpen}
    onClose={onClose}
    title={question}
    footer={
      <div className="flex flex-wrap justify-end gap-3">
        <Button type="button" onClick={onClose}>
          Cancel
        </Button>
        <CancelForm id={order.id} />
      </div>
    }
  >
    <Consequence order={order} />
  </Dialog>
)

/** The question on the page, where no script opens a dialog. */
export const CancelQuestion = ({ order }: { order: ShownOrder }) => (
  <section aria-labelledby="cancel" className="card mb-6 border-error/60 p-5 print:hidden">
    <h2 id="cancel" className="text-lg">
      {question}
    </h2>
    <div className="mt-2">
      <Consequence order={order} />
    </div>
    <div className="mt-4 flex flex-wrap gap-3">
      <LinkButton to={`/orders/${order.id}`}>Cancel</LinkButton>
      <CancelForm id={order.id} />
    </div>
  </section>
)
