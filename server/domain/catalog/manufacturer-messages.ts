/** Shown when a manufacturer that is in use cannot be deleted (specification, section 8). */
export const manufacturerInUse = 'Failed to delete manufacturer. It may be in use by products.'
