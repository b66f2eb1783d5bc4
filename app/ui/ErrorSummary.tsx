import { useEffect, useRef } from 'react'

type ErrorSummaryProps = {
  title: string
  /** A field's id to its sentence. */
  fields: Readonly<Record<string, string>>
}

/**
 * What is wrong with a form, in one place: takes the focus when it appears and with each new answer, and every line leads to
 * its field.
 */
export function ErrorSummary({ title, fields }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null)
  const lines = Object.entries(fields)
  useEffect(() => box.current?.focus(), [title, fields])
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      // Where no script runs, the browser itself takes the reader there.
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- It comes only as the answer to the reader's own post.
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
    </div>
  )
}
