import { useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { useShortcuts } from '../../../ui/data-grid/shortcuts.ts'
import { caseParts, casePartNames, sectionOf, type CasePart } from './case-parts.ts'

/** Selectors of the control that takes the focus. The first one that matches counts. */
const firstControls: Record<CasePart, readonly string[]> = {
  file: ['#file-view'],
  transcription: ['div:not([hidden]) > div :is(input:not([type=hidden]), button)'],
  patient: ['a'],
  lines: [
    // An alert to decide on, or the first button or field of clearing, without its choice of an
    // item.
    '[data-alert] select, [data-clear] :is(input:not([type=hidden], [type=radio]), button)',
    // Last, even of a line above: the next Enter must not sign an unread line.
    '[data-check] button',
  ],
}

function focusInView(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'nearest' })
}

type CaseFocus = {
  /** The part that a narrow screen shows. */
  part: CasePart
  setPart: (part: CasePart) => void
  /** After an action the pressed button is gone. The focus moves on once the new case shows. */
  onActed: () => void
  /** The new case could not be read: the focus stays. */
  onUnread: () => void
}

/**
 * Moves the focus within a case: by the keys of its parts, and after each action.
 * @param article of the whole case
 */
export function useCaseFocus(
  article: RefObject<HTMLElement | null>,
  reviewCase: ReviewCase,
  isDone: boolean,
): CaseFocus {
  const { kind } = reviewCase
  const [part, setPart] = useState<CasePart>('file')
  const hasActed = useRef(false)

  /** Moves the focus to the first control of a part, at once: the next key is typed into it. */
  const focusPart = (name: CasePart): void => {
    flushSync(() => setPart(name))
    const section = document.getElementById(sectionOf(name))
    const controls = firstControls[name].map((selector) => section?.querySelector<HTMLElement>(selector))
    focusInView(controls.find((control) => control) ?? section)
  }
  const latest = useRef(focusPart)
  useEffect(() => {
    latest.current = focusPart
  })
  useShortcuts(
    useMemo(
      () =>
        casePartNames.map((name) => ({
          keys: caseParts[name].key,
          label: `Go to: ${caseParts[name].label}`,
          run: () => latest.current(name),
        })),
      [],
    ),
  )
  useEffect(() => {
    if (!hasActed.current) return
    hasActed.current = false
    if (kind === 'order' && !isDone) latest.current('lines')
    else focusInView(document.getElementById('case-next') ?? article.current)
  }, [article, reviewCase, kind, isDone])
  useEffect(() => {
    // The link that opened it may be gone, and the focus with it.
    if (document.activeElement === document.body) article.current?.focus({ preventScroll: true })
  }, [article])

  return {
    part,
    setPart,
    onActed: () => {
      hasActed.current = true
    },
    onUnread: () => {
      hasActed.current = false
    },
  }
}
