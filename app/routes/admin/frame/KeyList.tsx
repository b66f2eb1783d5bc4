import { Dialog } from '../../../ui/Dialog.tsx'
import { useAllShortcuts } from '../../../ui/data-grid/shortcuts.ts'

const gridKeys = [
  ['Arrow keys', 'Move between cells'],
  ['Enter', 'Enter a cell'],
  ['Esc', 'Leave the cell, then the grid'],
] as const

const keyNames: Readonly<Record<string, string>> = {
  arrowdown: '↓',
  arrowup: '↑',
  enter: 'Enter',
  escape: 'Esc',
}

function displayKeys(keys: string): string {
  const key = keys.replace('mod+', '')
  return (key === keys ? '' : 'Ctrl or ⌘ ') + (keyNames[key] ?? key.toUpperCase())
}

/** Lists the keyboard shortcuts of the current page. */
export function KeyList({ open, onClose }: { open: boolean; onClose: () => void }) {
  const shortcuts = useAllShortcuts()
  const rows = [...shortcuts.map(({ keys, label }) => [displayKeys(keys), label] as const), ...gridKeys]
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {rows.map(([keys, label]) => (
          <div key={`${keys} ${label}`} className="contents">
            <dt>
              <kbd className="rounded-sm border border-line bg-base-200 px-1.5 py-0.5 font-mono">{keys}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
