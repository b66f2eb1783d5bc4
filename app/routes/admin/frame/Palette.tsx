import { useId, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { beginHere } from '../../../ui/data-grid/focus-first-field.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { pages } from './pages.ts'

type Entry = { name: string; to: string }

/** Where one can search for what was typed. */
const searches = [
  ['Search products for', '/admin/variants'],
  ['Search inventory for', '/admin/inventory?show=all'],
  ['Search manufacturers for', '/admin/manufacturers'],
] as const

const actions: readonly Entry[] = [
  { name: 'Product list', to: '/admin/products' },
  { name: 'My Profile', to: '/profile' },
  { name: 'Back to the shop', to: '/' },
]

function entriesFor(typed: string): Entry[] {
  const key = typed.trim().toLowerCase()
  const named = [...pages.map(({ name, path }) => ({ name, to: path })), ...actions]
  const found = named.filter(({ name }) => name.toLowerCase().includes(key))
  if (key === '') return found
  const asked = new URLSearchParams({ q: typed.trim() })
  return [
    ...found,
    ...searches.map(([words, path]) => ({
      name: `${words} “${typed.trim()}”`,
      to: `${path}${path.includes('?') ? '&' : '?'}${asked}`,
    })),
  ]
}

/** Goes anywhere in the back office by a few letters. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Go to">
      <Choice onClose={onClose} />
    </Dialog>
  )
}

function Choice({ onClose }: { onClose: () => void }) {
  const id = useId()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const entries = entriesFor(typed)
  const chosen = Math.min(at, entries.length - 1)
  const goTo = (entry: Entry | undefined): void => {
    if (!entry) return
    onClose()
    void navigate(entry.to)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, entries.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0))
    else if (event.key === 'Enter') goTo(entries[chosen])
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        className="input"
        role="combobox"
        aria-label="Page or search"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={entries.length > 0 ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        ref={beginHere}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={`${id}-list`} role="listbox" aria-label="Where to" className="mt-2">
        {entries.map((entry, index) => (
          <li
            key={entry.name}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className="flex min-h-9 cursor-pointer items-center rounded-field px-3 hover:bg-base-200 aria-selected:bg-base-300"
            onClick={() => goTo(entry)}
          >
            {entry.name}
          </li>
        ))}
      </ul>
      {entries.length === 0 ? <p className="px-3 py-2 text-muted">Nothing of this name.</p> : null}
    </>
  )
}
