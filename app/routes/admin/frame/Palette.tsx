import type { Permission } from '#domain/accounts/permissions.ts'
import { paths } from '#domain/paths.ts'
import { useId, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { focusFirstField } from '../../../ui/data-grid/focus-first-field.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { pages } from './pages.ts'
import { useCan } from './use-can.ts'

type Entry = { name: string; to: string }

/** The pages that can search for the typed text. */
const searches = [
  ['Search products for', paths.admin.variants, 'catalog.write'],
  ['Search inventory for', paths.admin.wholeInventory, 'stock.read'],
  ['Search manufacturers for', paths.admin.manufacturers, 'catalog.write'],
] as const

const actions: readonly (Entry & { permission: Permission | null })[] = [
  { name: 'Product list', to: paths.admin.products, permission: 'catalog.write' },
  { name: 'My Profile', to: paths.profile, permission: null },
  { name: 'Back to the shop', to: '/', permission: null },
]

function findEntries(typed: string, can: ReturnType<typeof useCan>): Entry[] {
  const needle = typed.trim().toLowerCase()
  const entries = [...pages.map(({ path, ...page }) => ({ ...page, to: path })), ...actions]
  const matches = entries.filter(
    ({ name, permission }) => (permission === null || can(permission)) && name.toLowerCase().includes(needle),
  )
  if (needle === '') return matches
  const params = new URLSearchParams({ q: typed.trim() })
  return [
    ...matches,
    ...searches
      .filter(([, , permission]) => can(permission))
      .map(([label, path]) => ({
        name: `${label} “${typed.trim()}”`,
        to: `${path}${path.includes('?') ? '&' : '?'}${params}`,
      })),
  ]
}

/** Opens any page of the back office after a few letters. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Go to">
      <PaletteList onClose={onClose} />
    </Dialog>
  )
}

function PaletteList({ onClose }: { onClose: () => void }) {
  const id = useId()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [index, setIndex] = useState(0)
  const entries = findEntries(typed, useCan())
  const active = Math.min(index, entries.length - 1)
  const goTo = (entry: Entry | undefined): void => {
    if (!entry) return
    onClose()
    void navigate(entry.to)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setIndex(Math.min(active + 1, entries.length - 1))
    else if (event.key === 'ArrowUp') setIndex(Math.max(active - 1, 0))
    else if (event.key === 'Enter') goTo(entries[active])
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
        aria-activedescendant={entries.length > 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        ref={focusFirstField}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setIndex(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={`${id}-list`} role="listbox" aria-label="Results" className="mt-2">
        {entries.map((entry, index) => (
          <li
            key={entry.name}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            className="flex min-h-9 cursor-pointer items-center rounded-field px-3 hover:bg-base-200 aria-selected:bg-base-300"
            onClick={() => goTo(entry)}
          >
            {entry.name}
          </li>
        ))}
      </ul>
      {entries.length === 0 ? <p className="px-3 py-2 text-muted">No matches.</p> : null}
    </>
  )
}
