import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { useEffect, useRef, useState } from 'react'
import { wasLeftWithDraft } from './send-draft.ts'

/**
 * A browser that reloads a case sends the draft that was typed last and asks for the page at once,
 * so the page may have been read first. Then it reads the case once more.
 * @param reread reads the case again
 * @returns a key for the case's forms: it changes when they must show another draft
 */
export function useRereadDraft(
  reviewCase: ReviewCase | undefined,
  reread: () => Promise<ReviewCase | undefined>,
): string {
  const [key, setKey] = useState('')
  const opened = useRef({ reviewCase, reread })
  useEffect(() => {
    const { reviewCase: shown, reread: read } = opened.current
    if (!shown || !wasLeftWithDraft(shown.id)) return
    void read().then((current) => {
      if (current?.draft && current.draft.savedAt !== shown.draft?.savedAt && !isTyped())
        setKey(current.draft.savedAt)
    })
  }, [])
  return key
}

/** Whether something was typed since the page was read, which the forms must keep. */
const isTyped = (): boolean =>
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('article :is(input, textarea)')].some(
    ({ value, defaultValue }) => value !== defaultValue,
  )
