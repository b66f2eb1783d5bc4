import { memo } from 'react'
import { contentOf } from '../../render/fragments.tsx'
import { Link } from '../../render/Link.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'

export type FaqEntry = {
  question: string
  answer: string
  /** A link after the answer. */
  next?: { to: string; words: string }
}

type FaqListProps = {
  /** Unique per page: entries with the same name close each other. */
  name: string
  entries: readonly FaqEntry[]
}

/** Questions that open one at a time, with or without scripts. */
export const FaqList = memo(function FaqList(props: FaqListProps) {
  return <div className="card divide-y divide-line" {...contentOf(Entries, props)} />
})

function Entries({ name, entries }: FaqListProps) {
  return (
    <>
      {entries.map(({ question, answer, next }) => (
        <Disclosure
          key={question}
          name={name}
          summary={<span className="py-4 text-start">{question}</span>}
          className="px-4 sm:px-6"
        >
          <div className="max-w-prose pb-5 text-muted">
            <p>{answer}</p>
            {next ? (
              <Link to={next.to} className="text-link mt-1 inline-flex min-h-11 items-center print:hidden">
                {next.words}
              </Link>
            ) : null}
          </div>
        </Disclosure>
      ))}
    </>
  )
}
