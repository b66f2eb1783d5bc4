import type { GridPage } from '#domain/grid.ts'
import type { ReviewRow } from '#domain/prescription-review.ts'
import type { PrescriptionStatus } from '#domain/prescriptions.ts'
import { useCallback } from 'react'
import type { GridUrl } from '../../../lib/grid-url.ts'
import { trpc } from '../../../lib/trpc.ts'

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

  /** After a decision the next one comes. One that no longer belongs here is taken out; what comes after the last is asked for. */
  const moveOn = (id: string, to: PrescriptionStatus): void => {
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
  /** A question waits for its answer where it is. */
  const noteAsked = (id: string): void => {
    utils.prescriptions.list.setData(params, {
      ...page,
      rows: page.rows.map((row) => (row.id === id ? { ...row, question: 'asked' } : row)),
    })
  }
  return { hrefOf, step, moveOn, noteAsked }
}
