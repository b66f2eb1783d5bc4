import { useEffect, useRef, useState } from 'react'
import { FileText } from '../../ui/icons.tsx'

const edge = 96

/**
 * A picture of what was chosen: drawn on a canvas, for the page's policy takes no picture from elsewhere than us. A document,
 * and what the browser cannot draw, gets a sign.
 */
export function FilePreview({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [drawn, setDrawn] = useState<File | null>(null)
  const isDrawn = drawn === file
  useEffect(() => {
    let isOver = false
    if (!file.type.startsWith('image/')) return
    createImageBitmap(file, { resizeHeight: edge * 2, resizeQuality: 'medium' })
      .then((picture) => {
        const target = canvas.current
        if (!isOver && target) {
          target.width = target.height = edge * 2
          const scale = Math.max(target.width / picture.width, target.height / picture.height)
          const [width, height] = [picture.width * scale, picture.height * scale]
          target
            .getContext('2d')
            ?.drawImage(picture, (target.width - width) / 2, (target.height - height) / 2, width, height)
          setDrawn(file)
        }
        picture.close()
      })
      .catch(() => setDrawn(null))
    return () => {
      isOver = true
    }
  }, [file])
  return (
    <span className="tile size-16 flex-none overflow-hidden rounded-field text-primary">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Preview of ${file.name}`}
        hidden={!isDrawn}
        className="size-full"
      />
      {isDrawn ? null : <FileText className="icon size-7" />}
    </span>
  )
}
