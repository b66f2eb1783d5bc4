import type { GridPage } from '#domain/grid.ts'
import type { ReviewRow } from '#domain/prescriptions/prescription-review.ts'
import type { PrescriptionStatus } from '#domain/prescriptions/prescriptions.ts'
import { useCallback, useRef } from 'react'
import type { GridUrl } from '../../../ui/data-grid/grid-url.ts'
import { trpc } from '../../../http/trpc.ts'

/** For so long after one was decided a key decides nothing: who hits it twice has not seen the next. */
const pauseMs = 700

type Here = { url: GridUrl; page: GridPage<ReviewRow>; shownId: string | null }

/** The ways through the queue: to one of it, to the next, and on from one that was decided. */
export function useMoveOn({ url, page, shownId }: Here) {
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
  const at = page.rows.findIndex(({ id }) => id === shownId)

  const step = useCallback(
    (by: 1 | -1) => {
      const row = page.rows[at === -1 ? 0 : at + by]
      if (row) goTo(row.id)
      else if (by === 1 && page.next !== null) url.go({ after: page.next, id: null })
      else if (by === -1 && page.previous !== null) url.go({ before: page.previous, id: null })
    },
    [page, at, goTo, url],
  )

  const movedOnAt = useRef(-pauseMs)
  const hasJustMoved = useCallback(() => performance.now() - movedOnAt.current < pauseMs, [])

  /** After a decision the next one comes. One that no longer belongs here is taken out; what comes after the last is asked for. */
  const moveOn = (id: string, to: PrescriptionStatus): void => {
    movedOnAt.current = performance.now()
    const stays = status === 'all' || status === to
    const next = page.rows[at + 1] ?? page.rows[at - 1] ?? null
    const rows = stays
      ? page.rows.map((row) => (row.id === id ? { ...row, status: to } : row))
      : page.rows.filter((row) => row.id !== id)
    utils.prescriptions.list.setData(params, {
      ...page,
      rows,
      total: page.total - (page.rows.length - rows.length),
    })
    if (stays) void utils.prescriptions.read.invalidate({ id })
    if (rows.length === 0) void utils.prescriptions.list.invalidate()
    goTo(next?.id ?? null)
  }
  /** What was asked, or decided by somebody else, of one that stays in sight. */
  const note = (id: string, news: Partial<Pick<ReviewRow, 'status' | 'question'>>): void => {
    const rows = page.rows.map((row) => (row.id === id ? { ...row, ...news } : row))
    utils.prescriptions.list.setData(params, { ...page, rows })
  }
  return { hrefOf, step, moveOn, note, hasJustMoved }
}
