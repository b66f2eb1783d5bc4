import { barsOf } from '#domain/orders/code-128.ts'

/** A text as Code 128; nothing for one that it cannot hold. */
export function Barcode({ text }: { text: string }) {
  const bars = barsOf(text)
  if (!bars) return null
  // Ten modules of quiet on either side, as readers want.
  return (
    <svg
      role="img"
      aria-label={`Barcode of ${text}`}
      className="my-2 h-16 w-full bg-white"
      viewBox={`-10 0 ${bars.width + 20} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
    >
      <path fill="#000" d={bars.bars.map(({ at, width }) => `M${at} 0h${width}v1h-${width}z`).join('')} />
    </svg>
  )
}
