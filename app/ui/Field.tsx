import type { ComponentProps, ReactNode } from 'react'
import { useId } from 'react'

type Described = { label: ReactNode; hint?: ReactNode; error?: string | undefined; className?: string }

/** A label, its control, and the hint and error that describe it. */
export function FieldFrame({
  id,
  label,
  hint,
  error,
  className = '',
  children,
}: Described & { id: string; children: ReactNode }) {
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      {children}
      {hint ? (
        <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="mt-1 text-sm font-medium text-error">
          {error}
        </p>
      ) : null}
    </div>
  )
}

/** The `aria-describedby` of a frame's control. */
export const descriptionIds = (id: string, hint: ReactNode, error: string | undefined) =>
  [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined

/** A text field with its label, hint and error. */
export function Field({
  label,
  hint,
  error,
  className,
  ...input
}: Described & Omit<ComponentProps<'input'>, 'className'>) {
  const generatedId = useId()
  const id = input.id ?? generatedId
  return (
    <FieldFrame {...{ id, label, hint, error }} {...(className !== undefined && { className })}>
      <input
        className="input"
        {...input}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={descriptionIds(id, hint, error)}
      />
    </FieldFrame>
  )
}

/** A choice of one from a list, with its label, hint and error. */
export function SelectField({
  label,
  hint,
  error,
  className,
  ...select
}: Described & Omit<ComponentProps<'select'>, 'className'>) {
  const generatedId = useId()
  const id = select.id ?? generatedId
  return (
    <FieldFrame {...{ id, label, hint, error }} {...(className !== undefined && { className })}>
      <select
        className="select"
        {...select}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={descriptionIds(id, hint, error)}
      />
    </FieldFrame>
  )
}

/** A text of several lines, with its label, hint and error. */
export function TextAreaField({
  label,
  hint,
  error,
  className,
  ...area
}: Described & Omit<ComponentProps<'textarea'>, 'className'>) {
  const generatedId = useId()
  const id = area.id ?? generatedId
  return (
    <FieldFrame {...{ id, label, hint, error }} {...(className !== undefined && { className })}>
      <textarea
        className="textarea"
        {...area}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={descriptionIds(id, hint, error)}
      />
    </FieldFrame>
  )
}
