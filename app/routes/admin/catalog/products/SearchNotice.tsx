import type { SearchNote } from '#domain/catalog/variant-grid.ts'

/** What a search of the catalogue has to say besides its rows. */
export const SearchNotice = ({ note }: { note: SearchNote | null }) => (
  <p role="status" className={note ? 'mb-2 text-muted' : undefined}>
    {note ? wordsOf(note) : null}
  </p>
)

function wordsOf(note: SearchNote): string {
  switch (note.kind) {
    case 'bad-check-digit':
      return 'The last digit of this code does not check the others: it may be mistyped.'
    case 'repaired':
      return `Nothing matches as it stands. Shown is “${note.query}”.`
    case 'capped':
      return 'More match than are looked at; shown are the nearest. Please say more.'
  }
}
