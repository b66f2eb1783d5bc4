import { code128Bars } from '#domain/orders/code-128.ts'

/** A text as a Code 128 barcode; renders nothing for a text that Code 128 cannot encode. */
export function Barcode({ text }: { text: string }) {
  const bars = code128Bars(text)
  if (!bars) return null
  // Code 128 requires a quiet zone of ten modules on either side.
  return (
    <svg
      role="img"
      aria-label={`Barcode: ${text}`}

      viewBox={`-10 0 ${bars.width + 20} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
    >
      <path fill="#000" d={bars.bars.map(({ at, width }) => `M${at} 0h${width}v1h-${width}z`).join('')} />
    </svg>
  )
}
