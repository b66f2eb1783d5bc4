import type { GridPage } from '#domain/grid.ts'
import type { ReviewRow } from '#domain/prescriptions/prescription-review.ts'
import type { PrescriptionStatus } from '#domain/prescriptions/prescriptions.ts'
import { useCallback, useRef } from 'react'
import type { GridUrl } from '../../../ui/data-grid/grid-url.ts'
import { trpc } from '../../../http/trpc.ts'

/**
 * Decision keys are ignored for this long after a decision: a double press must not decide the next
 * one unseen.
 */
const keyPauseMs = 700

type QueuePosition = { url: GridUrl; page: GridPage<ReviewRow>; selectedId: string | null }

/**
 * Navigation in the queue: to a given prescription, to the next or previous one, and on after a
 * decision.
 */
export function useNextReview({ url, page, selectedId }: QueuePosition) {
  const utils = trpc.useUtils()
  const { id: _id, ...params } = url.params
  const { after = null, before = null, last = null, status = 'under_review' } = params
  const hrefOf = useCallback(
    (id: string) => url.hrefOf({ after, before, last, id }),
    [url, after, before, last],
  )
  const goTo = useCallback(
    (id: string | null) => url.go({ after, before, last, id }),
    [url, after, before, last],
  )
  const index = page.rows.findIndex(({ id }) => id === selectedId)

  const step = useCallback(
    (by: 1 | -1) => {
      const row = page.rows[index === -1 ? 0 : index + by]
      if (row) goTo(row.id)
      else if (by === 1 && page.next !== null) url.go({ after: page.next, id: null })
      else if (by === -1 && page.previous !== null) url.go({ before: page.previous, id: null })
    },
    [page, index, goTo, url],
  )

  const advancedAt = useRef(-keyPauseMs)
  const hasJustAdvanced = useCallback(() => performance.now() - advancedAt.current < keyPauseMs, [])

  /**
   * Selects the next prescription after a decision. A prescription that no longer matches the
   * filter leaves the list; an empty list is loaded again.
   */
  const advance = (id: string, to: PrescriptionStatus): void => {
    advancedAt.current = performance.now()
    const stays = status === 'all' || status === to
    const next = page.rows[index + 1] ?? page.rows[index - 1] ?? null
    const rows = stays
      ? page.rows.map((row) => (row.id === id ? { ...row, status: to } : row))
      : page.rows.filter((row) => row.id !== id)
    utils.prescriptions.list.setData(params, {
      ...page,
      rows,
      total: page.total - (page.rows.length - rows.length),
    })
    if (stays) void utils.prescriptions.get.invalidate({ id })
    if (rows.length === 0) void utils.prescriptions.list.invalidate()
    goTo(next?.id ?? null)
  }
  /** Updates a row that stays selected: a question was asked, or another pharmacist decided. */
  const updateRow = (id: string, changes: Partial<Pick<ReviewRow, 'status' | 'question'>>): void => {
    const rows = page.rows.map((row) => (row.id === id ? { ...row, ...changes } : row))
    utils.prescriptions.list.setData(params, { ...page, rows })
  }
  return { hrefOf, step, advance, updateRow, hasJustAdvanced }
}
