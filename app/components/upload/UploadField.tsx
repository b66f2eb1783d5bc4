import { useEffect, useRef, type ReactNode } from 'react'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { Button } from '../../ui/Button.tsx'
import { Camera, CircleCheck, Upload as UploadIcon } from '../../ui/icons.tsx'
import { SignInAgain } from '../SignInAgain.tsx'
import { FilePreview } from './FilePreview.tsx'
import type { Upload, UploadState } from './use-upload.ts'
import { useDroppedFiles } from './use-dropped-files.ts'

/** The accepted types; phones convert their own formats to one of these. */
const accept = 'application/pdf,image/jpeg,image/png,.pdf,.jpg,.jpeg,.png'

type UploadFieldProps = {
  /** From `useUpload` in the page, which needs to know the upload's state. */
  upload: Upload
  /**
   * The form field: the file itself without JavaScript, otherwise the reference of the uploaded
   * file.
   */
  name: 'fileUrl' | 'idDocumentURL'
  id: string
  label: ReactNode
  /** The label of the button that opens the file chooser. */
  chooseLabel: string
  /** The server's error for the field. */
  error?: string | undefined
}

/**
 * Chooses a file by button, drop or paste, and uploads it immediately, with progress, cancel and a
 * preview. Without JavaScript it is a plain file input, whose form must be `multipart/form-data`.
 */
export function UploadField({ upload, name, id, label, chooseLabel, error }: UploadFieldProps) {
  const { state } = upload
  const hydrated = useHydrated()
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const isDraggingOver = useDroppedFiles(state.status === 'empty', (file) => upload.start(file))
  useKeepFocus(box, state.status)
  const problem = (state.status === 'empty' ? state.problem : null) ?? error
  const describedBy = [`${id}-hint`, problem ? `${id}-error` : ''].filter(Boolean).join(' ')

  const startUpload = (files: FileList | null): void => {
    const [file] = files ?? []
    if (file) upload.start(file)
  }

  return (
    <div ref={box} role="group" aria-labelledby={`${id}-label`}>
      <label id={`${id}-label`} htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      {state.status === 'empty' ? (
        <div
          className={`rounded-box border border-dashed p-4 ${isDraggingOver ? 'border-primary bg-base-200' : problem ? 'border-error' : 'border-base-content/55'}`}
        >
          <input
            ref={input}
            id={id}
            type="file"
            // With JavaScript the form carries the reference instead.
            name={hydrated ? undefined : name}
            accept={accept}
            aria-describedby={describedBy}
            aria-invalid={problem ? true : undefined}
            tabIndex={hydrated ? -1 : undefined}
            className="hidden w-full file:me-3 file:min-h-11 file:rounded-field file:border file:border-solid file:border-base-content/55 file:px-4 file:font-semibold noscript:block"
            onChange={(event) => {
              startUpload(event.target.files)
              // Lets the same file be chosen again.
              event.target.value = ''
            }}
          />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-3 noscript:hidden">
            <Button
              type="button"
              data-first
              onClick={() => input.current?.click()}
              aria-describedby={describedBy}
            >
              <UploadIcon />
              {chooseLabel}
            </Button>
            <label className="btn btn-ghost hidden has-focus-visible:outline-2 pointer-coarse:inline-flex">
              <Camera />
              Take a photo
              <input
                type="file"
                accept="image/*"
                capture="environment"
                className="sr-only"
                onChange={(event) => startUpload(event.target.files)}
              />
            </label>
            <span className="text-sm text-muted pointer-coarse:hidden">or drop or paste it here</span>
          </div>
        </div>
      ) : (
        <ChosenFile upload={upload} state={state} />
      )}
      {state.status === 'sent' ? <input type="hidden" name={name} value={state.reference} /> : null}
      <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
        PDF, JPG or PNG, up to 10 MB.
      </p>
      {problem ? (
        <p id={`${id}-error`} className="mt-1 text-sm font-medium text-error">
          {problem} {state.status === 'empty' && state.isSignedOut ? <SignInAgain /> : null}
        </p>
      ) : null}
      <p role="status" className="sr-only">
        {announcementText(state)}
      </p>
    </div>
  )
}

function ChosenFile({ upload, state }: { upload: Upload; state: Exclude<UploadState, { status: 'empty' }> }) {
  const { file } = state
  return (
    <div className="rounded-box border border-base-content/55 p-4">
      <div className="flex items-center gap-4">
        <FilePreview file={file} />
        <div className="min-w-0 flex-1">
          <p className="font-medium wrap-anywhere">{file.name || 'Photo'}</p>
          <p className="text-sm text-muted">{formatSize(file.size)}</p>
          {state.status === 'sent' ? (
            <p className="flex items-center gap-1.5 text-sm font-medium text-success">
              <CircleCheck className="icon size-4" />
              Uploaded
            </p>
          ) : (
            <p className="text-sm">{progressText(state)}</p>
          )}
        </div>
      </div>
      {state.status === 'sending' ? (
        <progress
          className="mt-3 block h-2 w-full appearance-none overflow-hidden rounded-full bg-base-300 [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-base-300 [&::-webkit-progress-value]:bg-primary"
          aria-label={`Uploading ${file.name || 'photo'}`}
          max={file.size}
          value={state.sent}
        />
      ) : null}
      <div className="mt-3">
        {state.status === 'sending' ? (
          <Button key="cancel" type="button" data-first onClick={upload.cancel}>
            Cancel upload
          </Button>
        ) : (
          <Button key="other" type="button" data-first onClick={() => upload.reset()}>
            Upload Different File
          </Button>
        )}
      </div>
    </div>
  )
}

/** When the focused element disappears, moves the focus to the element that replaces it. */
function useKeepFocus(box: { current: HTMLElement | null }, status: string): void {
  const previous = useRef({ status, inside: false })
  useEffect(() => {
    const events = new AbortController()
    const trackFocus = (target: EventTarget | null): void => {
      previous.current.inside = target instanceof Node && (box.current?.contains(target) ?? false)
    }
    // The user may have focused it before hydration.
    trackFocus(document.activeElement)
    document.addEventListener('focusin', ({ target }) => trackFocus(target), { signal: events.signal })
    document.addEventListener('pointerdown', ({ target }) => trackFocus(target), { signal: events.signal })
    return () => events.abort()
  }, [box])
  useEffect(() => {
    if (previous.current.status === status) return
    previous.current.status = status
    if (previous.current.inside && document.activeElement === document.body) {
      box.current?.querySelector<HTMLElement>('[data-first]')?.focus()
    }
  }, [box, status])
}

const formatSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`

type Sending = Extract<UploadState, { status: 'sending' }>

function progressText({ waiting, sent, file }: Sending): string {
  if (waiting === 'offline') return 'You’re offline. The upload will resume when you’re back online.'
  if (waiting === 'retry') return 'The upload failed. Trying again…'
  return sent >= file.size && file.size > 0
    ? 'Checking the file…'
    : `Uploading… ${Math.round((sent / file.size) * 100) || 0}%`
}

/** The text that screen readers announce: the state of the upload, not each step. */
function announcementText(state: UploadState): string {
  if (state.status === 'sent') return `${state.file.name} uploaded.`
  if (state.status === 'empty') return state.problem ?? ''
  return state.waiting ? progressText(state) : `Uploading ${state.file.name}…`
}
