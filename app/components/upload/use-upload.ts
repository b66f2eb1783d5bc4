import { useEffect, useRef, useState } from 'react'
import { browserTransport } from './browser-transport.ts'
import { checkFile, sendFile, type UploadProblem, type WaitReason } from './send-file.ts'

/** A file that is being uploaded. */
type SendingFile = { file: File; sent: number; waiting: WaitReason }

export type UploadState =
  | { status: 'empty'; problem: string | null; isSignedOut?: true }
  | ({ status: 'sending' } & SendingFile)
  | { status: 'sent'; file: File; reference: string }

export type Upload = {
  state: UploadState
  /** Starts immediately and cancels an upload in progress. */
  start: (file: File) => void
  cancel: () => void
  /** Discards the file, so that another can be chosen; `problem` says why. */
  reset: (problem?: string) => void
}

type UploadListeners = { onSent?: (reference: string) => void; onProblem?: (problem: string) => void }

/** Uploads one file, for `UploadField`. Leaving the page cancels the upload. */
export function useUpload(listeners: UploadListeners = {}): Upload {
  const [state, setState] = useState<UploadState>({ status: 'empty', problem: null })
  const running = useRef<AbortController | null>(null)
  const listener = useRef(listeners)
  useEffect(() => {
    listener.current = listeners
  })
  useEffect(() => () => running.current?.abort(), [])

  const fail = (reason: UploadProblem): void => {
    setState({ status: 'empty', ...reason })
    listener.current.onProblem?.(reason.problem)
  }

  async function uploadFile(file: File, controller: AbortController): Promise<void> {
    const { signal } = controller
    const change = (to: Partial<SendingFile>): void => {
      if (signal.aborted) return
      setState((now) => (now.status === 'sending' ? { ...now, ...to } : now))
    }
    try {
      const problem = await checkFile(file)
      const sent = problem
        ? { problem }
        : await sendFile(browserTransport, file, signal, {
            onProgress: (sent) => change({ sent }),
            onWaiting: (waiting) => change({ waiting }),
          })
      if (signal.aborted) return
      if ('problem' in sent) return fail(sent)
      setState({ status: 'sent', file, reference: sent.reference })
      listener.current.onSent?.(sent.reference)
    } catch (error) {
      // A canceled upload needs no message. A file that disappeared or cannot be read has no more
      // specific error.
      if (!signal.aborted)
        fail({
          problem:
            error instanceof DOMException ? 'We couldn’t read the file. Choose it again.' : String(error),
        })
    }
  }

  return {
    state,
    start(file) {
      running.current?.abort()
      const controller = new AbortController()
      running.current = controller
      setState({ status: 'sending', file, sent: 0, waiting: null })
      void uploadFile(file, controller)
    },
    cancel() {
      running.current?.abort()
      setState({ status: 'empty', problem: null })
    },
    reset(problem) {
      running.current?.abort()
      setState({ status: 'empty', problem: problem ?? null })
    },
  }
}
