import type { StatusChangePreview } from '#domain/orders/admin-orders.ts'
import { orderBadges, orderStatuses, type OrderStatus } from '#domain/orders/order-status.ts'
import { useEffect, useId, useRef, useState } from 'react'
import { toCallFailure } from '../../../http/trpc.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { CaseLink } from './CaseLink.tsx'
import { canApply, statusEffects, statusRefusals } from './status-effects.ts'

type StatusFormProps = {
  /** Shown before the menu; `name` is then left out. */
  label?: string
  /** The menu's name for screen readers. */
  name?: string
  /** Shown in the menu until a status is chosen. */
  placeholder: string
  options: readonly OrderStatus[]
  disabled?: boolean
  title?: string | undefined
  isBusy?: boolean
  /** The button beside the menu, and the effects below both. */
  isWide?: boolean
  /** Where the form goes without scripts. */
  action?: string
  /** Names the orders. When it changes, the effects are read again. */
  target: string
  onPreview: (status: OrderStatus) => Promise<StatusChangePreview>
  onApply: (status: OrderStatus, preview: StatusChangePreview) => Promise<void>
}

/** Going through a closed menu with arrow keys asks for no preview of each status. */
const previewDelayMs = 250

/**
 * A menu of statuses. Choosing one stores nothing: it shows what the status does, and Apply stores
 * it.
 */
export function StatusForm({
  label,
  name,
  placeholder,
  options,
  disabled = false,
  title,
  isBusy = false,
  isWide = false,
  action,
  target,
  onPreview,
  onApply,
}: StatusFormProps) {
  const id = useId()
  const select = useRef<HTMLSelectElement>(null)
  const [chosen, setChosen] = useState<OrderStatus | null>(null)
  const [shown, setShown] = useState<{ preview: StatusChangePreview } | { error: string } | null>(null)
  const choose = (value: string | undefined): void => {
    setShown(null)
    setChosen(options.find((option) => option === value) ?? null)
  }
  const latest = useRef({ onPreview, choose })
  useEffect(() => {
    latest.current = { onPreview, choose }
  })
  // A status can be chosen before scripts start.
  useEffect(() => latest.current.choose(select.current?.value), [])
  useEffect(() => {
    if (chosen === null) return undefined
    let isCurrent = true
    const timer = setTimeout(() => {
      latest.current.onPreview(chosen).then(
        (preview) => isCurrent && setShown({ preview }),
        (error: unknown) => isCurrent && setShown({ error: toCallFailure(error).message }),
      )
    }, previewDelayMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [chosen, target])
  const preview = shown && 'preview' in shown ? shown.preview : null
  const hydrated = useHydrated()
  const isReady = chosen !== null && preview !== null && canApply(preview) && !isBusy
  const menu = (
    <select
      ref={select}
      id={label ? id : undefined}
      name="status"
      aria-label={name}
      aria-describedby={chosen ? `${id}-effects` : undefined}
      className={`select ${label ? 'w-40!' : 'w-28!'}`}
      value={chosen ?? ''}
      disabled={disabled}
      title={title}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">{placeholder}</option>
      {orderStatuses
        .filter((status) => options.includes(status))
        .map((status) => (
          <option key={status} value={status}>
            {orderBadges[status].label}
          </option>
        ))}
    </select>
  )
  const apply = (
    <button
      className={`btn btn-primary ${chosen === null && !label ? 'hidden noscript:inline-flex' : ''}`}
      // Before scripts, the next page says what it does.
      aria-disabled={(hydrated && !isReady) || undefined}
    >
      Apply
    </button>
  )
  return (
    <form
      action={action}
      className={isWide ? 'status-form max-w-4xl' : 'status-form'}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) return
        // The button goes away.
        select.current?.focus()
        setChosen(null)
        setShown(null)
        void onApply(chosen, preview)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') choose(undefined)
      }}
    >
      {label ? <label htmlFor={id}>{label}</label> : null}
      {menu}
      {isWide ? apply : null}
      {chosen !== null && (
        <div id={`${id}-effects`} role="status" className="basis-full text-sm text-muted">
          {shown === null ? (
            'Checking what this does…'
          ) : 'error' in shown ? (
            shown.error
          ) : (
            <Effects status={chosen} preview={shown.preview} />
          )}
        </div>
      )}
      {isWide ? null : apply}
    </form>
  )
}

const maxRefusals = 5

/** What a status does, with the first orders that will be refused. */
export function Effects({ status, preview }: { status: OrderStatus; preview: StatusChangePreview }) {
  const refusals = statusRefusals(preview)
  return (
    <>
      {refusals.length > 0 ? (
        <ul className="text-error">
          {refusals.slice(0, maxRefusals).map(({ id, message, isNewAlert }) => (
            <li key={id}>
              {message} {isNewAlert ? <CaseLink orderId={id} /> : null}
            </li>
          ))}
          {refusals.length > maxRefusals ? (
            <li>{refusals.length - maxRefusals} more can’t change either.</li>
          ) : null}
        </ul>
      ) : null}
      {statusEffects(status, preview).join(' ')}
    </>
  )
}
