import { adminPaths } from '#domain/admin-paths.ts'
import type { CaseThread, ReviewCase } from '#domain/dispensing/review-case.ts'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { Link } from '../../../render/Link.tsx'

/** The messages with the customer about a case. They are answered on the thread's own page. */
export function CaseThreads({ reviewCase: { id, threads, readOnlyReason } }: { reviewCase: ReviewCase }) {
  if (threads.length === 0 && readOnlyReason !== null) return null
  return (
    <section aria-labelledby="case-messages" className="mt-4 grid gap-2">
      <h3 id="case-messages" className="font-semibold">
        Messages
      </h3>
      {threads.map((thread) => (
        <ThreadFacts key={thread.subjectId} thread={thread} />
      ))}
      {threads.length === 0 ? (
        <Link to={adminPaths.thread(id)} className="text-link">
          Message the customer
        </Link>
      ) : null}
    </section>
  )
}

const ThreadFacts = ({ thread: { subjectId, rxNumber, messages, waitingFor } }: { thread: CaseThread }) => (
  <section aria-label={rxNumber ?? 'Order'} className="card grid gap-2 p-3">
    {messages.map(({ id, from, text, at }) => (
      <div key={id}>
        <p className="text-muted">
          {from === 'customer' ? 'The customer' : 'The pharmacy'}, {formatDay(at)}
        </p>
        <p className="wrap-anywhere whitespace-pre-line">{text}</p>
      </div>
    ))}
    {waitingFor === 'customer' ? <p className="text-muted">Not answered yet.</p> : null}
    <Link to={adminPaths.thread(subjectId)} className="text-link">
      {waitingFor === 'pharmacy' ? 'Answer' : 'Message the customer'}
    </Link>
  </section>
)
