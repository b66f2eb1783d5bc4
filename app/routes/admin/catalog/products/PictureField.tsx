import { useEffect, useId, useRef, useState } from 'react'
import { FileUp } from '../../../../ui/admin-icons.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { X } from '../../../../ui/icons.tsx'
import { usePictureUpload } from './use-picture-upload.ts'

export const imageHint = 'A path on this site or an https URL.'

type SavedPicture = { image: string | null; copy: string | null; problem: string | null }

type PictureFieldProps = {
  value: string
  /**
   * The saved address of another site's picture, our copy of it, which is null until it was
   * fetched, and why it can't be copied.
   */
  saved?: SavedPicture
  error: string | undefined
  hint: string
  required?: boolean
  onChange: (image: string) => void
  /** The form disables Save during an upload: saved now, it would lack the picture. */
  onUploadingChange: (isUploading: boolean) => void
}

/** The URL of a product's picture: typed, or filled in by an upload. */
export function PictureField({
  value,
  saved,
  error,
  hint,
  required,
  onChange,
  onUploadingChange,
}: PictureFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const upload = usePictureUpload(onChange)
  const { isUploading, outcome } = upload
  const latestOnSending = useRef(onUploadingChange)
  useEffect(() => {
    latestOnSending.current = onUploadingChange
  })
  useEffect(() => {
    latestOnSending.current(isUploading)
    return () => latestOnSending.current(false)
  }, [isUploading])
  const problem = outcome && 'problem' in outcome ? outcome.problem : null
  return (
    <div>
      <Field
        label="Image URL"
        name="image"
        value={value}
        error={error}
        hint={saved?.image === value && isRemote(value) ? (copyHint(saved) ?? hint) : hint}
        autoComplete="off"
        required={required}
        onChange={(event) => {
          upload.clear()
          onChange(event.currentTarget.value)
        }}
      />
      <div className="mt-2 flex items-center gap-3">
        <Preview image={value} copy={saved?.image === value ? saved.copy : undefined} />
        <div className="min-w-0">
          <input
            ref={input}
            type="file"
            hidden
            accept="image/jpeg,image/png,.jpg,.jpeg,.png"
            onChange={(event) => {
              const [file] = event.target.files ?? []
              if (file) upload.start(file)
              // Without this, choosing the same file again fires no event.
              event.target.value = ''
            }}
          />
          <Button
            type="button"
            aria-describedby={`${id}-file`}
            onClick={() => (isUploading ? upload.cancel() : input.current?.click())}
          >
            {isUploading ? <X /> : <FileUp />}
            {isUploading ? 'Cancel upload' : 'Upload picture'}
          </Button>
          <p
            id={`${id}-file`}
            className={`mt-1 text-sm ${problem ? 'font-medium text-error' : 'text-muted'}`}
          >
            {problem ?? (isUploading ? 'Uploading…' : 'JPG or PNG, up to 2 MB.')}
          </p>
        </div>
      </div>
      <p role="status" className="sr-only">
        {isUploading ? 'Uploading the picture…' : (problem ?? (outcome ? 'Picture uploaded.' : ''))}
      </p>
    </div>
  )
}

const isOwn = (image: string): boolean => /^\/(?!\/)/.test(image)
const isRemote = (image: string): boolean => /^https:\/\/[^/]+\.[^/]+/i.test(image)
const debounceMs = 500

/** Why pages do not show a picture that was saved. */
function copyHint({ copy, problem }: SavedPicture): React.ReactNode {
  if (copy !== null) return null
  if (problem === null) return 'Not copied yet. We’ll try again. Until then, pages show the illustration.'
  return (
    <span className="font-medium text-warning">
      We couldn’t copy this picture, so pages show the illustration. {problem}
    </span>
  )
}

/**
 * A preview of the picture, debounced so that a typed address is not requested letter by letter.
 * Only pictures of our origin are shown; one of another site is copied when it is saved.
 * @param copy our copy of a saved picture; null until it was fetched, undefined for another address
 */
function Preview({ image, copy }: { image: string; copy: string | null | undefined }) {
  const [shown, setShown] = useState(image)
  const [broken, setBroken] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setShown(image), debounceMs)
    return () => clearTimeout(timer)
  }, [image])
  const src = copy ?? shown
  if (!isOwn(src) && !isRemote(src)) return null
  return (
    <div className="tile size-20 shrink-0 overflow-hidden rounded-field text-center text-xs text-muted">
      {isRemote(src) ? (
        copy === null ? (
          'Not fetched yet'
        ) : (
          'Fetched when you save'
        )
      ) : broken === src ? (
        'Not found'
      ) : (
        <img
          src={src}
          alt="Preview"
          referrerPolicy="no-referrer"
          className="size-20 object-contain p-1"
          onError={() => setBroken(src)}
        />
      )}
    </div>
  )
}
