import { useEffect, useRef, useState } from 'react'

const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') ?? false

/**
 * Takes a file that is dropped or pasted anywhere on the page: beside its field, the browser would open it in place of the page.
 * @returns whether a file is held over the page
 */
export function useDroppedFiles(isWanted: boolean, onFile: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false)
  const listener = useRef({ isWanted, onFile })
  useEffect(() => {
    listener.current = { isWanted, onFile }
  })
  useEffect(() => {
    const take = (data: DataTransfer | null): void => {
      const [file] = data?.files ?? []
      if (file && listener.current.isWanted) listener.current.onFile(file)
    }
    const events = new AbortController()
    const { signal } = events
    document.addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event.dataTransfer)) return
        event.preventDefault()
        setOver(listener.current.isWanted)
      },
      { signal },
    )
    document.addEventListener(
      'dragleave',
      (event) => {
        // Between two elements of the page it is no leaving.
        if (event.relatedTarget === null) setOver(false)
      },
      { signal },
    )
    document.addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event.dataTransfer)) return
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer)
      },
      { signal },
    )
    document.addEventListener('paste', (event) => take(event.clipboardData), { signal })
    return () => events.abort()
  }, [])
  return isOver && isWanted
}
