import { paths } from '#domain/paths.ts'
import { useCallback, useState } from 'react'
import { useNavigate } from 'react-router'

type Panel = typeof import('./CartPanel.tsx').CartPanel

const load = () => import('./CartPanel.tsx')

/**
 * The cart panel, loaded before its first use: when the pointer or the focus reaches its button. If
 * it cannot be loaded, the button goes to the cart page.
 */
export function useCartPanel() {
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [late, setLate] = useState<{ Panel: Panel } | null>(null)
  const open = () => {
    setOpen(true)
    load().then(
      ({ CartPanel }) => setLate({ Panel: CartPanel }),
      () => {
        setOpen(false)
        void navigate(paths.cart)
      },
    )
  }
  return {
    Panel: late?.Panel,
    isOpen,
    open,
    close: useCallback(() => setOpen(false), []),
    // A failure shows when it opens.
    prepare: () => void load().catch(() => {}),
  }
}
