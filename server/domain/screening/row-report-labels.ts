/** Reports of wrong rows. Without zod, for the pages; `row-reports.ts` has the schemas. */

/**
 * `open`: an admin has not decided yet, and the row stays in use. `confirmed`: the row is wrong and
 * no longer used. `rejected`: it is right. `outdated`: a later edition of the list changed it.
 */
export const rowReportStatuses = ['open', 'confirmed', 'rejected', 'outdated'] as const
export type RowReportStatus = (typeof rowReportStatuses)[number]

export const rowReportStatusLabels = {
  open: 'Open',
  confirmed: 'Wrong, no longer used',
  rejected: 'Right, still used',
  outdated: 'Changed in a later edition',
} as const satisfies Record<RowReportStatus, string>

/** How many characters a reason or a note has at most. */
export const rowReportLength = 1000
