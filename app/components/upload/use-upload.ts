import { useEffect, useRef, useState } from 'react'
import { browserTransport } from './browser-transport.ts'
import { problemOf, sendFile, type Waiting } from './send-file.ts'

/** A file as the page shows it. */
type Chosen = { file: File; sent: number; waiting: Waiting }

export type UploadState =
  | { status: 'empty'; problem: string | null }
  | ({ status: 'sending' } & Chosen)
  | { status: 'sent'; file: File; reference: string }

export type Upload = {
  state: UploadState
  /** Begins at once; what was on its way is broken off. */
  start: (file: File) => void
  cancel: () => void
  /** Gives the file up, so that another can be chosen; `problem` says why. */
  reset: (problem?: string) => void
}

type Told = { onSent?: (reference: string) => void; onProblem?: (problem: string) => void }

/** One file on its way to the shop, as `UploadField` shows it. A page that is left takes its upload with it. */
export function useUpload(told: Told = {}): Upload {
  const [state, setState] = useState<UploadState>({ status: 'empty', problem: null })
  const running = useRef<AbortController | null>(null)
  const listener = useRef(told)
  useEffect(() => {
    listener.current = told
  })
  useEffect(() => () => running.current?.abort(), [])

  const fail = (problem: string): void => {
    setState({ status: 'empty', problem })
    listener.current.onProblem?.(problem)
  }

  async function run(file: File, controller: AbortController): Promise<void> {
    const { signal } = controller
    const change = (to: Partial<Chosen>): void => {
      if (signal.aborted) return
      setState((now) => (now.status === 'sending' ? { ...now, ...to } : now))
    }
    try {
      const problem = await problemOf(file)
      const sent = problem
        ? { problem }
        : await sendFile(browserTransport, file, signal, {
            onProgress: (sent) => change({ sent }),
            onWaiting: (waiting) => change({ waiting }),
          })
      if (signal.aborted) return
      if ('problem' in sent) return fail(sent.problem)
      setState({ status: 'sent', file, reference: sent.reference })
      listener.current.onSent?.(sent.reference)
    } catch (error) {
      // A cancelled upload says so; a file that went away, or that no script may read, has no better words.
      if (!signal.aborted) fail(error instanceof DOMException ? 'The file could not be read.' : String(error))
    }
  }

  return {
    state,
    start(file) {
      running.current?.abort()
      const controller = new AbortController()
      running.current = controller
      setState({ status: 'sending', file, sent: 0, waiting: null })
      void run(file, controller)
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
