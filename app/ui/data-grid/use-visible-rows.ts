import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useState, type RefObject } from 'react'
import { rowHeights, useDensity } from './density.ts'

/** Up to this many rows are all rendered; of more, those in the viewport. */
const maxRendered = 100

/**
 * Which rows are rendered, and the height of the rows before and after them. On paper, and without
 * scripts, all rows are rendered.
 */
export function useVisibleRows(count: number, scroller: RefObject<HTMLDivElement | null>) {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    setReady(true)
    const forPaper = () => setReady(false)
    const forScreen = () => setReady(true)
    window.addEventListener('beforeprint', forPaper)
    window.addEventListener('afterprint', forScreen)
    return () => {
      window.removeEventListener('beforeprint', forPaper)
      window.removeEventListener('afterprint', forScreen)
    }
  }, [])
  const isVirtual = isReady && count > maxRendered
  const { density } = useDensity()
  // The React Compiler is not in use.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count,
    enabled: isVirtual,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeights[density],
    overscan: 12,
  })
  const items = isVirtual ? virtualizer.getVirtualItems() : null
  const first = items?.[0]
  const last = items?.at(-1)
  return {
    indexes: items ? items.map(({ index }) => index) : Array.from({ length: count }, (_, index) => index),
    before: first?.start ?? 0,
    after: last ? virtualizer.getTotalSize() - last.end : 0,
    scrollToRow: (index: number) => {
      if (isVirtual) virtualizer.scrollToIndex(index)
    },
  }
}
