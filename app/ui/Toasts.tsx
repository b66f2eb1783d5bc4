import { useEffect, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from './Button.tsx'
import { CircleCheck, CircleExclamationPoint, Info, X } from './icons.tsx'
import { carryToast, dismissToast, useToasts, type ToastMessage } from './toasts.ts'

const icons = { success: CircleCheck, info: Info, error: CircleExclamationPoint }

type CardProps = {
  message: ToastMessage
  close: ReactNode
  /** Not to be read out, for what takes its place will be. */
  quiet?: boolean
}

function Card({ message: { kind, title, text }, close, quiet = false }: CardProps) {
  const Icon = icons[kind]
  return (
    <>
      <Icon className="icon mt-0.5" />
      <div
        className="min-w-0 flex-1"
        role={kind === 'error' ? 'alert' : 'status'}
        {...(quiet && { 'aria-live': 'off' })}
      >
        <p className="font-semibold">{title}</p>
        {text ? <p>{text}</p> : null}
      </div>
      {close}
    </>
  )
}

type Late = { Layer: typeof import('./ToastLayer.tsx').ToastLayer | null; takesOver: number }

/**
 * Where toasts stand. One that comes with the page is in its HTML: without scripts a notice at the top, with them in a
 * toast's place from the first paint, until the late module takes it over. Where that cannot be fetched it stays so.
 */
export function Toasts({ message }: { message: ToastMessage | null }) {
  const { newest, carried } = useToasts()
  const host = newest?.host
  const [late, setLate] = useState<Late | null>(null)
  const [standingId, setStandingId] = useState(0)

  useEffect(() => {
    if (message) carryToast(message)
  }, [message])

  const newestId = newest?.id
  useEffect(() => {
    if (newestId === undefined) return
    import('./ToastLayer.tsx').then(
      ({ ToastLayer }) => setLate((had) => (had?.Layer ? had : { Layer: ToastLayer, takesOver: newestId })),
      // The message is on the page already; only its timing and swiping are missing.
      () => setLate({ Layer: null, takesOver: newestId }),
    )
  }, [newestId])

  const own = message === carried ? null : message
  const waiting = newest?.open && standingId === 0 ? newest : null
  const plain = own ?? waiting
  const kept = late !== null && late.Layer === null
  const close = (
    <IconButton
      label="Dismiss"
      type="button"
      className="-m-2 noscript:hidden"
      {...(waiting && { onClick: () => dismissToast(waiting.id) })}
    >
      <X />
    </IconButton>
  )
  const toasts = (
    <>
      {plain ? (
        <div
          // Anew where no module comes, to be read out.
          key={String(kept)}
          className="toast"
          data-kind={plain.kind}
        >
          <Card message={plain} close={close} quiet={!own && !kept} />
        </div>
      ) : null}
      {late?.Layer ? (
        <late.Layer
          Card={Card}
          close={close}
          toast={newest}
          takesOver={late.takesOver}
          onStanding={setStandingId}
        />
      ) : null}
    </>
  )
  return (
    <div className="toasts" aria-live="polite">
      {host ? createPortal(toasts, host) : toasts}
    </div>
  )
}
