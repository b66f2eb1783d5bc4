import { Dialog } from '../../../ui/Dialog.tsx'
import { useAllShortcuts } from '../../../ui/data-grid/shortcuts.ts'

const always = [
  ['Arrow keys', 'From cell to cell'],
  ['Enter', 'Into a cell'],
  ['Esc', 'Out of it, and once more out of the grid'],
] as const

const written = (keys: string): string => keys.replace('mod+', 'Ctrl or ⌘ ').toUpperCase()

/** The keys that work here. */
export function KeyList({ open, onClose }: { open: boolean; onClose: () => void }) {
  const shortcuts = useAllShortcuts()
  const rows = [...shortcuts.map(({ keys, does }) => [written(keys), does] as const), ...always]
  return (
    <Dialog open={open} onClose={onClose} title="Keys">
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {rows.map(([keys, does]) => (
          <div key={`${keys} ${does}`} className="contents">
            <dt>
              <kbd className="rounded-sm border border-line bg-base-200 px-1.5 py-0.5 font-mono">{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
