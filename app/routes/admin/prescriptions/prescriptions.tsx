import { reviewQuerySchema } from '#domain/prescriptions/review-inputs.ts'
import { listReviews } from '#server/prescriptions/list-reviews.ts'
import { readReview } from '#server/prescriptions/get-review.ts'
import { useEffect, useMemo, useRef } from 'react'
import { PrescriptionStatusBadge } from '../../../components/PrescriptionStatusBadge.tsx'
import { adminLoader, gridParamsOf } from '../../../http/admin-loader.server.ts'
import { useGridUrl } from '../../../ui/data-grid/grid-url.ts'
import { failureOf, startWith, trpc } from '../../../http/trpc.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useShortcuts } from '../../../ui/data-grid/shortcuts.ts'
import { CircleCheck } from '../../../ui/icons.tsx'
import type { Route } from './+types/prescriptions'
import { AdminPage } from '../frame/AdminPage.tsx'
import { DecisionPanel } from './DecisionPanel.tsx'
import { ReviewFacts } from './ReviewFacts.tsx'
import { ReviewFile } from './ReviewFile.tsx'
import { ReviewFilters } from './ReviewFilters.tsx'
import { ReviewQueue } from './ReviewQueue.tsx'
import { useMoveOn } from './use-next-review.ts'

export const loader = adminLoader(async (ctx, args: Route.LoaderArgs) => {
  const { id, ...params } = gridParamsOf(args)
  const page = await listReviews(ctx, reviewQuerySchema.parse(params))
  const shownId = id ?? page.rows[0]?.id ?? null
  return { params, page, shownId, review: shownId === null ? null : await readReview(ctx, shownId) }
})

/** The queue of prescriptions by age, and beside it the one that is looked at with all that a decision rests on. */
export default function PrescriptionsPage({ loaderData }: Route.ComponentProps) {
  const url = useGridUrl()
  const { id: askedId, ...params } = url.params
  const { data: page = loaderData.page, isFetching } = trpc.prescriptions.list.useQuery(
    params,
    startWith(loaderData, params),
  )
  const shownId = askedId ?? page.rows[0]?.id ?? null
  const { data: review, error } = trpc.prescriptions.read.useQuery(
    { id: shownId ?? '' },
    {
      enabled: shownId !== null,
      ...(shownId === loaderData.shownId && loaderData.review && { initialData: loaderData.review }),
    },
  )
  const { hrefOf, step, moveOn, note, hasJustMoved } = useMoveOn({ url, page, shownId })
  useShortcuts(
    useMemo(
      () => [
        { keys: 'j', does: 'Next prescription', run: () => step(1) },
        { keys: 'k', does: 'Prescription before', run: () => step(-1) },
      ],
      [step],
    ),
  )
  const article = useRef<HTMLElement>(null)
  const seenId = useRef(shownId)
  useEffect(() => {
    const isOpening = shownId !== null && review?.id !== shownId
    if (seenId.current === shownId || isOpening) return
    seenId.current = shownId
    // The button that decided is gone, and the focus with it: it goes on to the next one, which is read out.
    if (document.activeElement !== document.body) return
    const next = article.current ?? document.getElementById('main')
    next?.focus({ preventScroll: true })
  }, [shownId, review?.id])
  return (
    <AdminPage title="Prescriptions" actions={<ReviewFilters chosen={params['status'] ?? 'under_review'} />}>
      {shownId === null ? (
        <EmptyState icon={<CircleCheck />} title="Nothing waits here">
          Prescriptions come here as soon as customers upload them.
        </EmptyState>
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)]">
          <ReviewQueue url={url} page={page} shownId={shownId} hrefOf={hrefOf} isBusy={isFetching} />
          {error ? (
            <Alert kind="error" title={failureOf(error).message} />
          ) : review?.id === shownId ? (
            <article ref={article} tabIndex={-1} aria-labelledby="patient" className="min-w-0 outline-none">
              <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1">
                <h2 id="patient" className="text-lg wrap-anywhere">
                  {review.patient.name}
                </h2>
                <PrescriptionStatusBadge status={review.status} />
              </div>
              <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
                <ReviewFile key={review.id} review={review} />
                <ReviewFacts review={review} />
              </div>
              <DecisionPanel
                key={`${review.id} ${review.version}`}
                review={review}
                hasJustMoved={hasJustMoved}
                onDecided={moveOn}
                onNews={note}
              />
            </article>
          ) : (
            <p role="status" className="py-24 text-center text-muted">
              Opening the prescription…
            </p>
          )}
        </div>
      )}
    </AdminPage>
  )
}
