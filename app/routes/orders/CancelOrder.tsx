import { dollars } from '#domain/money.ts'
import type { CardEffect } from '#domain/orders/payment-hold.ts'
import { paths } from '#domain/paths.ts'
import { useNavigation } from 'react-router'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Ban } from '../../ui/icons.tsx'
import { PostForm } from '../../ui/PostForm.tsx'

const question = 'Cancel this order?'

/** What cancelling an order will do. */
export type CancellationView = { card: CardEffect; refund: string; restockedUnits: number }

const cardTexts = {
  voids: 'We won’t charge your card. ',
  waits: 'We’re charging your card right now. If the charge goes through, we’ll refund it in full. ',
  nothing: 'We already refunded your payment. ',
} as const

const Consequence = ({
  cancellation: { card, refund, restockedUnits },
}: {
  cancellation: CancellationView
}) => (
  <>
    <p>
      {card === 'refunds' ? (
        <>
          We’ll refund <b className="font-semibold tabular-nums">{dollars(refund)}</b> to the card you paid
          with.{' '}
        </>
      ) : (
        cardTexts[card]
      )}
      {restockedUnits > 0
        ? `We’ll return ${restockedUnits === 1 ? '1 item' : `${restockedUnits} items`} to stock. `
        : ''}
      Nothing has shipped yet.
    </p>
    <p className="mt-2 text-muted">
      You can’t reopen a cancelled order, but you can order the same items again.
    </p>
  </>
)

function CancelForm({ id }: { id: string }) {
  const isSending = useNavigation().formData?.get('intent') === 'cancel'
  return (
    <PostForm action={paths.order(id)}>
      <Button kind="danger" name="intent" value="cancel" aria-disabled={isSending || undefined}>
        {isSending ? 'Cancelling…' : 'Cancel order'}
      </Button>
    </PostForm>
  )
}

/** Opens the confirmation dialog. Without scripts it opens the confirmation on the page. */
export const CancelButton = ({ id, onOpen }: { id: string; onOpen: () => void }) => (
  <form method="get" action={paths.order(id)}>
    <Button
      kind="quiet"
      className="max-sm:w-full"
      name="cancel"
      value="ask"
      onClick={(event) => {
        event.preventDefault()
        onOpen()
      }}
    >
      <Ban />
      Cancel order
    </Button>
  </form>
)

type DialogProps = {
  id: string
  cancellation: CancellationView | null
  isOpen: boolean
  onClose: () => void
}

/** The confirmation as a dialog. */
export const CancelDialog = ({ id, cancellation, isOpen, onClose }: DialogProps) => (
  <Dialog
    open={isOpen}
    onClose={onClose}
    title={question}
    role="alertdialog"
    footer={
      <div className="flex flex-wrap justify-end gap-3">
        <Button type="button" onClick={onClose}>
          Cancel
        </Button>
        <CancelForm id={id} />
      </div>
    }
  >
    {cancellation ? <Consequence cancellation={cancellation} /> : null}
  </Dialog>
)

/** The confirmation on the page, for browsers without scripts. */
export const CancelQuestion = ({ id, cancellation }: { id: string; cancellation: CancellationView }) => (
  <section aria-labelledby="cancel" className="card mb-6 border-error/60 p-5 print:hidden">
    <h2 id="cancel" className="text-lg">
      {question}
    </h2>
    <div className="mt-2">
      <Consequence cancellation={cancellation} />
    </div>
    <div className="mt-4 flex flex-wrap gap-3">
      <LinkButton to={paths.order(id)}>Cancel</LinkButton>
      <CancelForm id={id} />
    </div>
  </section>
)
