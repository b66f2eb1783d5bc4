import { useEffect, useRef, useState, type RefObject } from 'react'
import { useNavigation } from 'react-router'

/**
 * How many times a form with the hidden field `loaded` was saved on this page. A form that is keyed
 * by it starts again from what is stored, which other tabs and staff may have changed.
 */
export function useSaveCount(failure: unknown): number {
  const isSaving = useNavigation().formData?.has('loaded') ?? false
  const [seen, setSeen] = useState({ isSaving, count: 0 })
  if (isSaving !== seen.isSaving) {
    setSeen({ isSaving, count: seen.count + (isSaving || failure ? 0 : 1) })
  }
  return seen.count
}

/** For the button of a form that starts again because it was saved: the focus was on it. */
export function useSavedFocus(isSaved: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isSaved) button.current?.focus()
  }, [isSaved])
  return button
}
