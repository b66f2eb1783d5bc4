import { useState, type Dispatch, type SetStateAction } from 'react'
import { shownItemsField } from '#domain/dispensing/draft-fields.ts'
import type { Fields } from './case-fields.ts'
import { itemKeysOf, nextItemKey } from './transcription-fields.ts'

/** The medicines that the form of a draft showed. */
const shownKeys = (draft: Fields): string[] => (draft[shownItemsField] ?? '').match(/\d+/g) ?? []

/**
 * The keys of the medicines that the transcription form shows. A form without values has
 * `emptyCount` of them.
 */
export function useItemKeys(
  initial: Fields,
  emptyCount: number,
): [string[], Dispatch<SetStateAction<string[]>>] {
  const [keys, setKeys] = useState(() => {
    const stored = [...new Set([...itemKeysOf(initial), ...shownKeys(initial)])]
    return stored.length > 0 ? stored : Array.from({ length: emptyCount }, (_, at) => String(at))
  })
  const [shown, setShown] = useState(initial)
  if (initial !== shown) {
    // A refused save. Medicines that a colleague has closed are not among its values.
    setShown(initial)
    const isClosed = (key: string): boolean =>
      shown[`items.${key}.id`] !== undefined && initial[`items.${key}.id`] === undefined
    const remaining = keys.filter((key) => !isClosed(key))
    setKeys(remaining.length > 0 ? remaining : [nextItemKey(keys)])
  }
  return [keys, setKeys]
}
