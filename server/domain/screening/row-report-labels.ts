/** Reports of wrong rows. Without zod, for the pages; `row-reports.ts` has the schemas. */

/**
 * `open`: an admin has still to decide, and the row counts. `confirmed`: the row is wrong and no
 * longer counts. `rejected`: it is right. `outdated`: a later edition of the list says something
 * else.
 */
export const rowReportStatuses = ['open', 'confirmed', 'rejected', 'outdated'] as const
export type RowReportStatus = (typeof rowReportStatuses)[number]

export const rowReportStatusLabels = {
  open: 'Open',
  confirmed: 'Wrong, no longer counts',
  rejected: 'Right, counts',
  outdated: 'The list has changed since',
} as const satisfies Record<RowReportStatus, string>

/** How many characters a reason or a note has at most. */
export const rowReportLength = 1000
