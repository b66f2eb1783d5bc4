import { caseQuerySchema } from '#domain/dispensing/case-inputs.ts'
import { caseFilters, type CaseFilter } from '#domain/dispensing/case-queue.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { listCases } from '#server/reviews/list-cases.ts'
import { useMemo, useState } from 'react'
import { adminLoader, gridParams } from '../../../http/admin-loader.server.ts'
import { initialFromLoader, toCallFailure, trpc } from '../../../http/trpc.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { useGridUrl } from '../../../ui/data-grid/grid-url.ts'
import { useShortcuts } from '../../../ui/data-grid/shortcuts.ts'
import type { Route } from './+types/prescriptions'
import { AdminPage } from '../frame/AdminPage.tsx'
import { runCaseForm } from './case-action.server.ts'
import { CaseFilters } from './CaseFilters.tsx'
import { CaseQueue } from './CaseQueue.tsx'
import { CaseView } from './CaseView.tsx'
import { FindCases, noSearch, type CaseSearch } from './FindCases.tsx'
import { Key } from './Key.tsx'
import type { CaseFormFailure } from './use-case-forms.ts'
import { useRereadDraft } from './use-reread-draft.ts'

export const loader = adminLoader('prescriptions.review', async (ctx, args: Route.LoaderArgs) => {
  const { id = null, edit: editedId = null, ...params } = gridParams(args)
  const page = await listCases(ctx, caseQuerySchema.parse(params))
  const reviewCase = id === null ? null : await getCase(ctx, id)
  return { params, page, selectedId: id, editedId, reviewCase }
})

export const action = adminLoader('prescriptions.review', (ctx, args: Route.ActionArgs) =>
  runCaseForm(ctx, args),
)

/** The pharmacist's queue, or one case of it. */
export default function PrescriptionsPage({ loaderData, actionData }: Route.ComponentProps) {
  const url = useGridUrl()
  const answer: { failure?: CaseFormFailure; search?: CaseSearch } = actionData ?? {}
  const [search, setSearch] = useState(answer.search ?? noSearch)
  const { id: selectedId = null, edit: _edit, ...params } = url.params
  const { data: page = loaderData.page, isFetching } = trpc.cases.list.useQuery(
    params,
    initialFromLoader(loaderData, params),
  )
  // The loaded case is shown until it is left. Opened again, it may have changed, with its draft.
  const [left, setLeft] = useState<typeof loaderData | null>(null)
  const isLoaded = selectedId === loaderData.selectedId
  if (!isLoaded && left !== loaderData) setLeft(loaderData)
  const {
    data: reviewCase,
    error,
    isFetching: isReading,
    refetch,
  } = trpc.cases.get.useQuery(
    { id: selectedId ?? '' },
    {
      enabled: selectedId !== null,
      ...(isLoaded && left !== loaderData && loaderData.reviewCase && { initialData: loaderData.reviewCase }),
    },
  )
  const draftKey = useRereadDraft(reviewCase, async () => (await refetch()).data)
  const utils = trpc.useUtils()
  const [leftId, setLeftId] = useState<string | null>(null)
  const { after = null, before = null, last = null } = params
  const place = { after, before, last }
  const shownId = reviewCase?.id ?? selectedId
  const index = page.rows.findIndex(({ id }) => id === shownId)
  const next = page.rows[index + 1] ?? (index > 0 ? page.rows[0] : undefined)
  const goTo = (id: string | null): void => {
    if (id === null) {
      setLeftId(shownId)
      void utils.cases.list.invalidate()
    }
    url.go({ ...place, id, edit: null })
  }
  const keys = useMemo(
    () =>
      selectedId === null
        ? []
        : [
            { keys: 'escape', label: 'Back to the queue', run: () => goTo(null) },
            {
              keys: 'j',
              label: 'Next case',
              run: () => page.rows[index + 1] && goTo(page.rows[index + 1]?.id ?? null),
            },
            {
              keys: 'k',
              label: 'Previous case',
              run: () => page.rows[index - 1] && goTo(page.rows[index - 1]?.id ?? null),
            },
            // Saving works in any field of the form, which handles the keys itself.
            { keys: 'mod+enter', label: 'Save the transcription', run: () => {} },
          ],
    // oxlint-disable-next-line react/exhaustive-deps
    [selectedId, shownId, index, page, url],
  )
  useShortcuts(keys)
  const filter = (params['filter'] ?? 'new') as CaseFilter
  const backToQueue = {
    to: url.hrefOf({ ...place, id: null, edit: null }),
    defaultShouldRevalidate: false,
    label: (
      <>
        Queue <Key>Esc</Key>
      </>
    ),
    onClick: () => {
      setLeftId(shownId)
      void utils.cases.list.invalidate()
    },
  }
  return (
    <AdminPage
      title="Prescriptions"
      back={selectedId === null ? null : backToQueue}
      actions={
        selectedId === null ? (
          <CaseFilters selected={Object.hasOwn(caseFilters, filter) ? filter : 'new'} counts={page.counts} />
        ) : null
      }
    >
      {selectedId === null ? (
        <>
          <FindCases search={search} setSearch={setSearch} onExact={goTo} />
          {search.found === null ? (
            <CaseQueue
              url={url}
              page={page}
              hrefOf={(id) => url.hrefOf({ ...place, id })}
              returnTo={leftId}
              isBusy={isFetching}
            />
          ) : null}
        </>
      ) : reviewCase ? (
        // A failed read keeps the case that is shown, with what is typed into it.
        <CaseView
          key={`${selectedId} ${reviewCase.id} ${draftKey}`}
          reviewCase={reviewCase}
          openedId={selectedId}
          readFailure={error && toCallFailure(error).message}
          isReading={isReading}
          onReload={async () => (await refetch()).isSuccess}
          nextHref={next && next.id !== shownId ? url.hrefOf({ ...place, id: next.id, edit: null }) : null}
          posted={selectedId === loaderData.selectedId ? (answer.failure ?? null) : null}
          editedId={loaderData.editedId}
        />
      ) : error ? (
        <Alert kind="error" title={toCallFailure(error).message} />
      ) : (
        <p role="status" className="py-24 text-center text-muted">
          Loading the case…
        </p>
      )}
    </AdminPage>
  )
}
