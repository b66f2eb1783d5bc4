import { useEffect, useRef, useState } from 'react'
import { uploadPicture } from './upload-picture.ts'

type PictureUpload = {
  isUploading: boolean
  /** The result of the last upload. */
  outcome: { problem: string } | { done: true } | null
  /** Starts at once and aborts an upload in progress. */
  start: (file: File) => void
  cancel: () => void
  /** Clears the result of the last upload. */
  clear: () => void
}

/** Uploads one picture at a time. Unmounting aborts the upload. */
export function usePictureUpload(onUploaded: (image: string) => void): PictureUpload {
  const [isUploading, setUploading] = useState(false)
  const [outcome, setOutcome] = useState<PictureUpload['outcome']>(null)
  const currentUpload = useRef<AbortController | null>(null)
  useEffect(() => () => currentUpload.current?.abort(), [])

  async function run(file: File, { signal }: AbortController): Promise<void> {
    try {
      const result = await uploadPicture(file, signal)
      if (signal.aborted) return
      setUploading(false)
      if ('problem' in result) return setOutcome(result)
      setOutcome({ done: true })
      onUploaded(result.image)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  return {
    isUploading,
    outcome,
    start(file) {
      currentUpload.current?.abort()
      const controller = new AbortController()
      currentUpload.current = controller
      setUploading(true)
      setOutcome(null)
      void run(file, controller)
    },
    cancel() {
      currentUpload.current?.abort()
      setUploading(false)
    },
    clear: () => setOutcome(null),
  }
}
