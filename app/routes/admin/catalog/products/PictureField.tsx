import { useEffect, useId, useRef, useState } from 'react'
import { FileUp } from '../../../../ui/admin-icons.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { X } from '../../../../ui/icons.tsx'
import { usePictureUpload } from './use-picture-upload.ts'

export const imageHint = 'A path on this site or an https URL.'

type PictureFieldProps = {
  value: string
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
        hint={hint}
        autoComplete="off"
        required={required}
        onChange={(event) => {
          upload.clear()
          onChange(event.currentTarget.value)
        }}
      />
      <div className="mt-2 flex items-center gap-3">
        <Preview image={value} />
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

const isComplete = (image: string): boolean => /^(\/(?!\/)|https:\/\/[^/]+\.[^/]+)/.test(image)
const debounceMs = 500

/**
 * A preview of the picture, debounced so that a typed address is not requested letter by letter.
 */
function Preview({ image }: { image: string }) {
  const [shown, setShown] = useState(image)
  const [broken, setBroken] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setShown(image), debounceMs)
    return () => clearTimeout(timer)
  }, [image])
  if (!isComplete(shown)) return null
  return (
    <div className="tile size-20 shrink-0 overflow-hidden rounded-field text-center text-xs text-muted">
      {broken === shown ? (
        'Not found'
      ) : (
        <img
          src={shown}
          alt="Preview"
          referrerPolicy="no-referrer"
          className="size-20 object-contain p-1"
          onError={() => setBroken(shown)}
        />
      )}
    </div>
  )
}
