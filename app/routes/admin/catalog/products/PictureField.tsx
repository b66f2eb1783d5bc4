import { useEffect, useId, useRef, useState } from 'react'
import { FileUp } from '../../../../ui/admin-icons.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { X } from '../../../../ui/icons.tsx'
import { usePictureUpload } from './use-picture-upload.ts'

type PictureFieldProps = {
  value: string
  error: string | undefined
  hint: string
  required?: boolean
  onChange: (image: string) => void
  /** While a picture is on its way the form waits: saved now, it would be saved without. */
  onSending: (isSending: boolean) => void
}

/** Where a product's picture lies: an address that is typed, or that of a picture which is uploaded here. */
export function PictureField({ value, error, hint, required, onChange, onSending }: PictureFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const upload = usePictureUpload(onChange)
  const { isSending, outcome } = upload
  const listener = useRef(onSending)
  useEffect(() => {
    listener.current = onSending
  })
  useEffect(() => {
    listener.current(isSending)
    return () => listener.current(false)
  }, [isSending])
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
              // The same file chosen again is a choice too.
              event.target.value = ''
            }}
          />
          <Button
            type="button"
            aria-describedby={`${id}-file`}
            onClick={() => (isSending ? upload.cancel() : input.current?.click())}
          >
            {isSending ? <X /> : <FileUp />}
            {isSending ? 'Cancel upload' : 'Upload picture'}
          </Button>
          <p
            id={`${id}-file`}
            className={`mt-1 text-sm ${problem ? 'font-medium text-error' : 'text-muted'}`}
          >
            {problem ?? (isSending ? 'Uploading…' : 'JPG or PNG, up to 2 MB.')}
          </p>
        </div>
      </div>
      <p role="status" className="sr-only">
        {isSending ? 'Uploading the picture…' : (problem ?? (outcome ? 'The picture was uploaded.' : ''))}
      </p>
    </div>
  )
}

const isComplete = (image: string): boolean => /^(\/(?!\/)|https:\/\/[^/]+\.[^/]+)/.test(image)
const typingMs = 500

/** The picture as it will be seen; an address that is being typed is not asked for letter by letter. */
function Preview({ image }: { image: string }) {
  const [shown, show] = useState(image)
  const [broken, setBroken] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => show(image), typingMs)
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
