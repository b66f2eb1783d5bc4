import { useEffect, useRef, useState } from 'react'
import { FileText } from '../../ui/icons.tsx'

const previewSize = 96

/**
 * A preview of the chosen file, drawn on a canvas, because the content security policy allows
 * pictures from our origin only. A document, or a picture the browser cannot draw, gets an icon.
 */
export function FilePreview({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [drawn, setDrawn] = useState<File | null>(null)
  const isDrawn = drawn === file
  useEffect(() => {
    let isCanceled = false
    if (!file.type.startsWith('image/')) return
    createImageBitmap(file, { resizeHeight: previewSize * 2, resizeQuality: 'medium' })
      .then((picture) => {
        const target = canvas.current
        if (!isCanceled && target) {
          target.width = target.height = previewSize * 2
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
      isCanceled = true
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
