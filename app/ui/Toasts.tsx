import { useEffect, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from './Button.tsx'
import { CircleCheck, CircleExclamationPoint, Info, X } from './icons.tsx'
import { showPageToast, dismissToast, useToasts, type ToastMessage } from './toasts.ts'

const icons = { success: CircleCheck, info: Info, error: CircleExclamationPoint }

type CardProps = {
  message: ToastMessage
  close: ReactNode
  /** Not announced, because the toast that replaces it will be. */
  isSilent?: boolean
}

function Card({ message: { kind, title, text, link }, close, isSilent = false }: CardProps) {
  const Icon = icons[kind]
  return (
    <>
      <Icon className="icon mt-0.5" />
      <div
        className="min-w-0 flex-1"
        role={kind === 'error' ? 'alert' : 'status'}
        {...(isSilent && { 'aria-live': 'off' })}
      >
        <p className="font-semibold">{title}</p>
        {text ? <p>{text}</p> : null}
        {link ? (
          <a href={link.href} className="underline">
            {link.label}
          </a>
        ) : null}
      </div>
      {close}
    </>
  )
}

type LazyModule = { Layer: typeof import('./ToastLayer.tsx').ToastLayer | null; replacesId: number }

/**
 * The toast region. A message from the server is part of the page's HTML: without scripts a notice
 * at the top, with scripts in a toast's place from the first paint on. The late module replaces it
 * when it has loaded; if it fails to load, the message stays.
 */
export function Toasts({ message }: { message: ToastMessage | null }) {
  const { newest, pageMessage: shownMessage } = useToasts()
  const host = newest?.host
  const [late, setLate] = useState<LazyModule | null>(null)
  const [mountedId, setMountedId] = useState(0)

  useEffect(() => {
    if (message) showPageToast(message)
  }, [message])

  const newestId = newest?.id
  useEffect(() => {
    if (newestId === undefined) return
    import('./ToastLayer.tsx').then(
      ({ ToastLayer }) =>
        setLate((loaded) => (loaded?.Layer ? loaded : { Layer: ToastLayer, replacesId: newestId })),
      // The message is already on the page; only timing and swiping are missing.
      () => setLate({ Layer: null, replacesId: newestId }),
    )
  }, [newestId])

  const pendingMessage = message === shownMessage ? null : message
  const unmounted = newest?.open && mountedId === 0 ? newest : null
  const fallback = pendingMessage ?? unmounted
  const isModuleMissing = late !== null && late.Layer === null
  const close = (
    <IconButton
      label="Dismiss"
      type="button"
      className="-m-2 noscript:hidden"
      {...(unmounted && { onClick: () => dismissToast(unmounted.id) })}
    >
      <X />
    </IconButton>
  )
  const toasts = (
    <>
      {fallback ? (
        <div
          // Remounts when the module fails to load, so that the message is announced.
          key={String(isModuleMissing)}
          className="toast"
          data-kind={fallback.kind}
        >
          <Card message={fallback} close={close} isSilent={!pendingMessage && !isModuleMissing} />
        </div>
      ) : null}
      {late?.Layer ? (
        <late.Layer
          Card={Card}
          close={close}
          toast={newest}
          replacesId={late.replacesId}
          onMounted={setMountedId}
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
