import * as Tooltip from 'radix-ui/tooltip'
import { useCallback, useEffect, useState } from 'react'
import { AttachedTrigger } from './AttachedTrigger.tsx'

/** The figures of the specification, section 9. */
const delayMs = 700
const skipDelayMs = 300

/** Text that may be cut: a cell that has it shows it whole at focus. */
const cutText = '[class*=line-clamp][title]'

type Hint = {
  id: number
  /** The hovered or focused element. */
  source: HTMLElement
  /** What has the text: the source, or a part of it. */
  element: HTMLElement
  opensAtOnce: boolean
}

let lastId = 0

/**
 * The tooltips of the back office, by Radix. They are attached to elements as the pointer and the
 * keyboard reach them, so that no page renders any. A module of its own, loaded late.
 */
export function TooltipLayer({ selector }: { selector: string }) {
  // The newest and the one before, which may still be open while the pointer moves into it.
  const [hints, setHints] = useState<readonly Hint[]>([])
  useEffect(() => {
    const listeners = new AbortController()
    const listen = <Name extends keyof DocumentEventMap>(
      name: Name,
      listener: (event: DocumentEventMap[Name]) => void,
    ): void => document.addEventListener(name, listener, { capture: true, signal: listeners.signal })
    // A dialog focuses a button too, when it opens and when it closes. That shows no tooltip.
    let isStepping = false
    const reach = (source: HTMLElement | null, element: HTMLElement | null, opensAtOnce: boolean): void =>
      setHints((before) => {
        const hints = before.filter(({ source }) => source.isConnected)
        if (!source || !element) return hints.length === before.length ? before : hints
        if (!opensAtOnce && hints.at(-1)?.source === source) return before
        const others = hints.filter((hint) => hint.source !== source).slice(-1)
        return [...others, { id: ++lastId, source, element, opensAtOnce }]
      })
    const point = (target: Element | null): void => {
      const element = target?.closest<HTMLElement>(selector) ?? null
      reach(element, element, false)
    }
    const step = (target: Element | null): void => {
      const source = target instanceof HTMLElement && isStepping ? target : null
      const isNamed = source?.matches(selector)
      reach(source, isNamed ? source : (source?.querySelector<HTMLElement>(cutText) ?? null), true)
    }
    listen('pointerover', ({ target, pointerType }) => {
      if (pointerType !== 'touch' && target instanceof Element) point(target)
    })
    listen('pointerdown', () => {
      isStepping = false
    })
    listen('keydown', ({ key }) => {
      isStepping = key === 'Tab' || key.startsWith('Arrow')
    })
    listen('focusin', ({ target }) => {
      if (target instanceof Element) step(target)
    })
    // A narrower page hides the sidebar without a pointerleave, so its tooltip would stay open.
    window.addEventListener('resize', () => setHints([]), { signal: listeners.signal })
    // What was reached while this module loaded.
    point([...document.querySelectorAll(':hover')].at(-1) ?? null)
    if (document.activeElement?.matches(':focus-visible')) {
      isStepping = true
      step(document.activeElement)
    }
    return () => listeners.abort()
  }, [selector])
  return (
    <Tooltip.Provider delayDuration={delayMs} skipDelayDuration={skipDelayMs}>
      {hints.map(({ id, ...hint }) => (
        <HintTooltip key={id} {...hint} />
      ))}
    </Tooltip.Provider>
  )
}

function HintTooltip({ source, element, opensAtOnce }: Omit<Hint, 'id'>) {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const read = useCallback((title: string) => setText(textOf(element, title)), [element])
  return (
    <Tooltip.Root open={isOpen && text !== ''} onOpenChange={setOpen}>
      <Tooltip.Trigger asChild>
        <AttachedTrigger
          source={source}
          element={element}
          opensAtOnce={opensAtOnce}
          describes={text !== source.textContent && text !== source.getAttribute('aria-label')}
          onReach={read}
        />
      </Tooltip.Trigger>
      <Tooltip.Portal container={hostOf(source)}>
        <Tooltip.Content
          className="tooltip-text"
          side={source.closest('.sidebar') ? 'right' : 'top'}
          sideOffset={4}
          collisionPadding={8}
          // So that the next press reaches what it covers.
          onPointerDown={() => setOpen(false)}
        >
          {text}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}

/** Where its tooltip is: in the source's top layer, which would cover it, or in a landmark. */
const hostOf = (source: HTMLElement): HTMLElement | null =>
  source.closest<HTMLElement>('dialog, :popover-open') ?? document.querySelector('main')

/** The text of its tooltip. Text of the page itself is one only where it is cut. */
function textOf(element: HTMLElement, title: string): string {
  const { scrollHeight, clientHeight, scrollWidth, clientWidth } = element
  const isWhole = scrollHeight <= clientHeight + 1 && scrollWidth <= clientWidth
  if (isWhole && element.matches(cutText) && spaced(element.textContent) === spaced(title)) return ''
  return title || (element.getAttribute('aria-label') ?? '')
}

/** A figure and its unit have a space between them that does not break. */
const spaced = (text: string): string => text.replaceAll('\u00a0', ' ')
