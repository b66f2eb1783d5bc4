import { useEffect, useRef } from 'react'

/**
 * What is wrong with a form, in one place: takes the focus when it appears, and each line leads to its field.
 * `fields` maps a field's id to its sentence.
 */
export function ErrorSummary({ title, fields }: { title: string; fields: Readonly<Record<string, string>> }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [title, fields])
  return (
    <div ref={box} role="alert" tabIndex={-1} className="rounded-box border-2 border-error bg-base-100 p-4">
      <h2 className="font-semibold text-error">{title}</h2>
      <ul className="mt-2 list-disc ps-5">
        {Object.entries(fields).map(([id, sentence]) => (
          <li key={id}>
            <a href={`#${id}`} className="text-link">
              {sentence}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
