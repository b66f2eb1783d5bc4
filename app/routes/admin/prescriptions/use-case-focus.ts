import { useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { useShortcuts } from '../../../ui/data-grid/shortcuts.ts'
import type { CaseIntent } from './case-forms.ts'
import { caseParts, casePartNames, sectionOf, type CasePart } from './case-parts.ts'

const secondCheck = '[data-check] button'

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
    secondCheck,
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
  onActed: (intent: CaseIntent) => void
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
  /** The form that was done last, until the focus has moved on. */
  const acted = useRef<CaseIntent | null>(null)

  /** Moves the focus to the first control of a part, at once: the next key is typed into it. */
  const focusPart = (name: CasePart, selectors = firstControls[name]): void => {
    flushSync(() => setPart(name))
    const section = document.getElementById(sectionOf(name))
    const controls = selectors.map((selector) => section?.querySelector<HTMLElement>(selector))
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
    const intent = acted.current
    if (intent === null) return
    acted.current = null
    if (kind === 'order' && !isDone) {
      // Only a pharmacist who is checking goes on to the next check.
      const selectors = firstControls.lines.filter((each) => each !== secondCheck || intent === 'secondCheck')
      latest.current('lines', selectors)
    } else focusInView(document.getElementById('case-next') ?? article.current)
  }, [article, reviewCase, kind, isDone])
  useEffect(() => {
    // The link that opened it may be gone, and the focus with it.
    if (document.activeElement === document.body) article.current?.focus({ preventScroll: true })
  }, [article])

  return {
    part,
    setPart,
    onActed: (intent) => {
      acted.current = intent
    },
    onUnread: () => {
      acted.current = null
    },
  }
}
