import { reviewQuerySchema } from '#domain/prescriptions/review-inputs.ts'
import { listReviews } from '#server/prescriptions/list-reviews.ts'
import { getReview } from '#server/reviews/get-review.ts'
import { useEffect, useMemo, useRef } from 'react'
import { PrescriptionStatusBadge } from '../../../components/PrescriptionStatusBadge.tsx'
import { adminLoader, gridParams } from '../../../http/admin-loader.server.ts'
import { useGridUrl } from '../../../ui/data-grid/grid-url.ts'
import { toCallFailure, initialFromLoader, trpc } from '../../../http/trpc.ts'
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
import { useNextReview } from './use-next-review.ts'

export const loader = adminLoader('prescriptions.review', async (ctx, args: Route.LoaderArgs) => {
  const { id, ...params } = gridParams(args)
  const page = await listReviews(ctx, reviewQuerySchema.parse(params))
  const selectedId = id ?? page.rows[0]?.id ?? null
  return { params, page, selectedId, review: selectedId === null ? null : await getReview(ctx, selectedId) }
})

/**
 * The review queue, oldest first, beside the selected prescription and the facts for its decision.
 */
export default function PrescriptionsPage({ loaderData }: Route.ComponentProps) {
  const url = useGridUrl()
  const { id: requestedId, ...params } = url.params
  const { data: page = loaderData.page, isFetching } = trpc.prescriptions.list.useQuery(
    params,
    initialFromLoader(loaderData, params),
  )
  const selectedId = requestedId ?? page.rows[0]?.id ?? null
  const { data: review, error } = trpc.prescriptions.get.useQuery(
    { id: selectedId ?? '' },
    {
      enabled: selectedId !== null,
      ...(selectedId === loaderData.selectedId && loaderData.review && { initialData: loaderData.review }),
    },
  )
  const { hrefOf, step, advance, updateRow, hasJustAdvanced } = useNextReview({ url, page, selectedId })
  useShortcuts(
    useMemo(
      () => [
        { keys: 'j', label: 'Next prescription', run: () => step(1) },
        { keys: 'k', label: 'Previous prescription', run: () => step(-1) },
      ],
      [step],
    ),
  )
  const article = useRef<HTMLElement>(null)
  const focusedId = useRef(selectedId)
  useEffect(() => {
    const isOpening = selectedId !== null && review?.id !== selectedId
    if (focusedId.current === selectedId || isOpening) return
    focusedId.current = selectedId
    // The pressed button is gone and took the focus with it. Focus the next prescription, which
    // screen readers then announce.
    if (document.activeElement !== document.body) return
    const next = article.current ?? document.getElementById('main')
    next?.focus({ preventScroll: true })
  }, [selectedId, review?.id])
  return (
    <AdminPage
      title="Prescriptions"
      actions={<ReviewFilters selected={params['status'] ?? 'under_review'} />}
    >
      {selectedId === null ? (
        <EmptyState icon={<CircleCheck />} title="Nothing to review">
          New prescriptions appear here as soon as customers upload them.
        </EmptyState>
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)]">
          <ReviewQueue url={url} page={page} selectedId={selectedId} hrefOf={hrefOf} isBusy={isFetching} />
          {error ? (
            <Alert kind="error" title={toCallFailure(error).message} />
          ) : review?.id === selectedId ? (
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
                hasJustAdvanced={hasJustAdvanced}
                onDecided={advance}
                onUpdated={updateRow}
              />
            </article>
          ) : (
            <p role="status" className="py-24 text-center text-muted">
              Loading the prescription…
            </p>
          )}
        </div>
      )}
    </AdminPage>
  )
}
