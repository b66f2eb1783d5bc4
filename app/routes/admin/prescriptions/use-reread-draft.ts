import { isSameFields } from '#domain/dispensing/draft-fields.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { useEffect, useRef, useState } from 'react'
import { useHydrated } from '../../../ui/use-hydrated.ts'

/**
 * A browser that reloads a case sends the draft that was typed last and asks for the page at once,
 * so the page may have been read first. So a reloaded page reads its case once more.
 * @param reread reads the case again
 * @returns a key for the case's forms: it changes when they must show another draft
 */
export function useRereadDraft(
  reviewCase: ReviewCase | undefined,
  reread: () => Promise<ReviewCase | undefined>,
): number {
  const [key, setKey] = useState(0)
  // A case that is opened by a link of the page is read then.
  const isLoaded = !useHydrated()
  const opened = useRef({ reviewCase, reread, isLoaded })
  useEffect(() => {
    const { reviewCase: shown, reread: read, isLoaded } = opened.current
    if (!shown || !isLoaded || !isReload()) return
    void read().then((current) => {
      const isSame = isSameFields(current?.draft?.fields ?? {}, shown.draft?.fields ?? {})
      if (current && !isSame && !isTyped()) setKey(1)
    })
  }, [])
  return key
}

const isReload = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => entry instanceof PerformanceNavigationTiming && entry.type !== 'navigate')

type FormField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Whether something was typed or chosen since the page was read, which the forms must keep. */
const isTyped = (): boolean =>
  [...document.querySelectorAll<FormField>('article :is(input, textarea, select)')].some((field) =>
    field instanceof HTMLSelectElement
      ? field.selectedIndex !==
        Math.max(
          0,
          [...field.options].findIndex((option) => option.defaultSelected),
        )
      : field.value !== field.defaultValue ||
        (field instanceof HTMLInputElement && field.checked !== field.defaultChecked),
  )
