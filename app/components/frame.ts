import type { CartView } from '#domain/cart/cart.ts'
import { useMemo } from 'react'
import { useRouteLoaderData } from 'react-router'
import type { ToastMessage } from '../ui/toasts.ts'
import type { MenuUser } from './AccountMenu.tsx'
import type { Theme } from './theme.ts'

/** What the frame of a page shows of the person who requested it. Plain data, as JSON has it. */
export type Frame = {
  cart: CartView
  /** Names of items that left the cart because they are no longer sold. */
  removedNames: string[]
  /** The result of an action on the previous page, and the page that redirected here, if any. */
  flash: (ToastMessage & { leaving?: string | undefined }) | null
  /** The signed-in user. */
  user: MenuUser | null
  theme: Theme
}

/** What the root's loader returns of it. */
export type LoadedFrame = { frame: string }

const readFrame = (loaded: LoadedFrame | undefined): Frame | null =>
  loaded ? (JSON.parse(loaded.frame) as Frame) : null

/**
 * The frame of the current page; null when it could not be loaded. Each load gives another object,
 * so that a message that comes twice is shown twice.
 */
export function useFrame(): Frame | null {
  const loaded = useRouteLoaderData<LoadedFrame>('root')
  return useMemo(() => readFrame(loaded), [loaded])
}
