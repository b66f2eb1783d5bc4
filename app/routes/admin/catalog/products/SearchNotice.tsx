import type { SearchNote } from '#domain/catalog/variant-grid.ts'

/** A note about a catalog search, beside its rows. */
export const SearchNotice = ({ note }: { note: SearchNote | null }) => (
  <p role="status" className={note ? 'mb-2 text-muted' : undefined}>
    {note ? noteMessage(note) : null}
  </p>
)

function noteMessage(note: SearchNote): string {
  switch (note.kind) {
    case 'bad-check-digit':
      return 'This number’s check digit doesn’t match. Check the number.'
    case 'repaired':
      return `No exact matches. Showing results for “${note.query}”.`
    case 'relaxed':
      return note.search.sentence
    case 'capped':
      return 'Too many matches. Showing the closest ones. Add more to your search to narrow it.'
  }
}
