import { useEffect, useRef, useState } from 'react'
import { sendPicture } from './send-picture.ts'

type PictureUpload = {
  isSending: boolean
  /** What became of the last one. */
  outcome: { problem: string } | { done: true } | null
  /** Begins at once; what was on its way is broken off. */
  start: (file: File) => void
  cancel: () => void
  /** Forgets what became of the last one. */
  clear: () => void
}

/** One picture on its way. A dialog that is closed takes its upload with it. */
export function usePictureUpload(onSent: (image: string) => void): PictureUpload {
  const [isSending, setSending] = useState(false)
  const [outcome, setOutcome] = useState<PictureUpload['outcome']>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function run(file: File, { signal }: AbortController): Promise<void> {
    try {
      const sent = await sendPicture(file, signal)
      if (signal.aborted) return
      setSending(false)
      if ('problem' in sent) return setOutcome(sent)
      setOutcome({ done: true })
      onSent(sent.image)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  return {
    isSending,
    outcome,
    start(file) {
      running.current?.abort()
      const controller = new AbortController()
      running.current = controller
      setSending(true)
      setOutcome(null)
      void run(file, controller)
    },
    cancel() {
      running.current?.abort()
      setSending(false)
    },
    clear: () => setOutcome(null),
  }
}
