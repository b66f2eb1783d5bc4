import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useState, type RefObject } from 'react'

/** Up to this many rows all are drawn; of more, those in sight. */
const allDrawn = 100
const rowHeight = 46

/** Which rows are drawn, and how high those are that are not. On paper, and before any script, all are. */
export function useDrawnRows(count: number, scroller: RefObject<HTMLDivElement | null>) {
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
  const isVirtual = isReady && count > allDrawn
  // oxlint-disable-next-line react/incompatible-library -- Nothing here is compiled; its functions may change with each render.
  const virtualizer = useVirtualizer({
    count,
    enabled: isVirtual,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const items = isVirtual ? virtualizer.getVirtualItems() : null
  const first = items?.[0]
  const last = items?.at(-1)
  return {
    drawn: items ? items.map(({ index }) => index) : Array.from({ length: count }, (_, index) => index),
    before: first?.start ?? 0,
    after: last ? virtualizer.getTotalSize() - last.end : 0,
    bringToSight: (index: number) => {
      if (isVirtual) virtualizer.scrollToIndex(index)
    },
  }
}
