import { useEffect, useLayoutEffect, useRef } from 'react'

type Listener = (event: Event) => void

/** What Radix gives the element that it takes for its trigger. */
type TriggerProps = {
  onPointerMove?: Listener
  onPointerLeave?: Listener
  onPointerDown?: Listener
  onClick?: Listener
  onFocus?: Listener
  onBlur?: Listener
  'aria-describedby'?: string | undefined
  ref?: (source: HTMLElement | null) => void
}

type AttachedTriggerProps = TriggerProps & {
  source: HTMLElement
  element: HTMLElement
  opensAtOnce: boolean
  /** Whether the tooltip has more than the source's own text and label. */
  describes: boolean
  /** Called with the element's title each time the source is reached. */
  onReach: (title: string) => void
}

/** Makes an element that another component rendered the trigger of a tooltip. Renders nothing. */
export function AttachedTrigger(props: AttachedTriggerProps) {
  const { source, element, opensAtOnce, describes, onReach, ref, 'aria-describedby': description } = props
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  useLayoutEffect(() => {
    ref?.(source)
    return () => ref?.(null)
  }, [ref, source])
  useEffect(() => {
    const listeners = new AbortController()
    let title: string | null = null
    // Emptied, or the browser would show it too. Not removed: a page that removes its title in
    // between must not get it back.
    const reach = () => {
      title ??= element.getAttribute('title')
      if (title !== null) element.setAttribute('title', '')
      onReach(title ?? '')
    }
    const restore = () => {
      if (title !== null && element.getAttribute('title') === '') element.setAttribute('title', title)
      title = null
    }
    const listen = (name: string, listener: Listener): void =>
      source.addEventListener(name, listener, { signal: listeners.signal })
    listen('pointerenter', reach)
    listen('pointermove', (event) => latest.current.onPointerMove?.(event))
    listen('pointerleave', (event) => {
      latest.current.onPointerLeave?.(event)
      restore()
    })
    listen('pointerdown', (event) => latest.current.onPointerDown?.(event))
    listen('click', (event) => latest.current.onClick?.(event))
    listen('blur', (event) => {
      latest.current.onBlur?.(event)
      restore()
    })
    reach()
    if (opensAtOnce) latest.current.onFocus?.(new FocusEvent('focus'))
    else latest.current.onPointerMove?.(new PointerEvent('pointermove', { pointerType: 'mouse' }))
    return () => {
      listeners.abort()
      restore()
    }
  }, [source, element, opensAtOnce, onReach])
  useEffect(() => {
    if (!description || !describes) return undefined
    const before = source.getAttribute('aria-describedby')
    source.setAttribute('aria-describedby', before ? `${before} ${description}` : description)
    return () => {
      if (before === null) source.removeAttribute('aria-describedby')
      else source.setAttribute('aria-describedby', before)
    }
  }, [source, describes, description])
  return null
}
