import { useEffect, useRef, type ReactNode } from 'react'

type ErrorSummaryProps = {
  title: string
  /** Messages by field id. */
  fields: Readonly<Record<string, string>>
  children?: ReactNode
}

/**
 * All errors of a form in one place. It takes the focus when it appears and after each submission,
 * and every line links to its field.
 */
export function ErrorSummary({ title, fields, children }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null)
  const lines = Object.entries(fields)
  useEffect(() => box.current?.focus(), [title, fields])
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      // Without scripts, the browser scrolls to it. It appears only after a form submission.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      className="rounded-box border border-error bg-base-100 p-4"
    >
      <p className="font-semibold text-error">{title}</p>
      {lines.length > 0 ? (
        <ul className="mt-1 list-disc ps-5">
          {lines.map(([id, sentence]) => (
            <li key={id}>
              <a href={`#${id}`} className="text-link">
                {sentence}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      {children}
    </div>
  )
}
