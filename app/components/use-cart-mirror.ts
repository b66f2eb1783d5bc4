import { parseStoredCart, type CartView } from '#domain/cart/cart.ts'
import { useEffect } from 'react'
import { useFetcher, useRevalidator } from 'react-router'
import { showToast } from '../ui/toasts.ts'
import { cartTarget, type CartReply } from '../http/cart-reply.ts'

const cartKey = 'cart'
const seenKey = 'cart.seen'

/** A short digest (FNV-1a), only to detect whether the mirror is still what this page wrote. */
function digest(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(36)
}

/** Storage can fail (private mode, full); the cart works without its mirror. */
function withStorage(work: (storage: Storage) => void): void {
  try {
    work(localStorage)
  } catch (error) {
    console.warn('The cart could not be saved in local storage.', error)
  }
}

/** Lines found in storage that this page did not write, to import into the server's cart. */
function readFound(storage: Storage): { variantId: string; quantity: number }[] {
  const found = storage.getItem(cartKey)
  if (found === null) return []
  try {
    const { lines, cleaned } = parseStoredCart(found)
    const text = JSON.stringify(cleaned)
    if (text !== found) storage.setItem(cartKey, text)
    return digest(text) === storage.getItem(seenKey) ? [] : lines
  } catch (error) {
    console.error('The stored cart could not be read and was removed.', error)
    storage.removeItem(cartKey)
    return []
  }
}

function write(storage: Storage, cart: CartView): void {
  const text = JSON.stringify(
    cart.lines.map(({ product: { id, name, image, category }, variant, quantity }) => ({
      product: { id, name, image, category },
      variant,
      quantity,
    })),
  )
  if (storage.getItem(cartKey) !== text && !(cart.lines.length === 0 && storage.getItem(cartKey) === null)) {
    storage.setItem(cartKey, text)
  }
  storage.setItem(seenKey, digest(text))
}

/**
 * Mirrors the server's cart to `localStorage['cart']` (contract, "Labels that automation relies
 * on"). Imports a cart found there into an empty server cart once, with a message, and refreshes
 * other tabs when the cart changes.
 */
export function useCartMirror(cart: CartView): void {
  const importer = useFetcher<CartReply>()
  const { revalidate } = useRevalidator()
  const { submit, state } = importer
  const answer = importer.data

  // If the server cannot import the lines, they stay in storage, and the next page load tries
  // again.
  const refused = answer !== undefined && !('done' in answer) && cart.lines.length === 0

  useEffect(() => {
    withStorage((storage) => {
      if (refused) {
        storage.removeItem(seenKey)
        return
      }
      const found = readFound(storage)
      if (found.length > 0 && cart.lines.length === 0) {
        // Marked before it is sent, so that neither a second tab nor a reload sends it again.
        storage.setItem(seenKey, digest(storage.getItem(cartKey) ?? ''))
        void submit({ intent: 'import', stay: '1', lines: JSON.stringify(found) }, cartTarget)
      } else if (state === 'idle') {
        write(storage, cart)
      }
    })
  }, [cart, refused, state, submit])

  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      // The tab for signing in again starts with a visitor's cart. Revalidating now would leave the
      // form that waits for the sign-in (`SignInAgain`).
      if (event.key === cartKey && !document.getElementById('login-again')) void revalidate()
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [revalidate])

  useEffect(() => {
    if (answer && 'done' in answer && answer.notice) showToast(answer.notice)
  }, [answer])
}
