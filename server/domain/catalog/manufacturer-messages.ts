/** What somebody is told who deletes a manufacturer that is in use (specification, section 8). */
export const manufacturerInUse = 'Failed to delete manufacturer. It may be in use by products.'
