import { useEffect, useRef, useState } from 'react'

const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') ?? false

/**
 * Accepts a file that is dropped or pasted anywhere on the page: outside the field, the browser
 * would navigate to it.
 * @returns whether a file is being dragged over the page
 */
export function useDroppedFiles(isEnabled: boolean, onFile: (file: File) => void): boolean {
  const [isDraggingOver, setDraggingOver] = useState(false)
  const listener = useRef({ isEnabled, onFile })
  useEffect(() => {
    listener.current = { isEnabled, onFile }
  })
  useEffect(() => {
    const takeFile = (data: DataTransfer | null): void => {
      const [file] = data?.files ?? []
      if (file && listener.current.isEnabled) listener.current.onFile(file)
    }
    const events = new AbortController()
    const { signal } = events
    document.addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event.dataTransfer)) return
        event.preventDefault()
        setDraggingOver(listener.current.isEnabled)
      },
      { signal },
    )
    document.addEventListener(
      'dragleave',
      (event) => {
        // Moving between two elements of the page is not leaving it.
        if (event.relatedTarget === null) setDraggingOver(false)
      },
      { signal },
    )
    document.addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event.dataTransfer)) return
        event.preventDefault()
        setDraggingOver(false)
        takeFile(event.dataTransfer)
      },
      { signal },
    )
    document.addEventListener('paste', (event) => takeFile(event.clipboardData), { signal })
    return () => events.abort()
  }, [])
  return isDraggingOver && isEnabled
}
