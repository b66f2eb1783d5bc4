import { minGoToLength, type GoToResults } from '#domain/go-to-results.ts'
import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { focusFirstField } from '../../../ui/data-grid/focus-first-field.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { findEntries, type Entry } from './palette-entries.ts'
import { useCan } from './use-can.ts'

/** Longer than in a grid: each search that reads people is audited. */
const searchDelayMs = 250

/** Opens a page, product, variant, order or customer after a few letters. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Go to">
      <PaletteList onClose={onClose} />
    </Dialog>
  )
}

type Answer = { text: string; found: GoToResults | null; error: string | null }

/** What the server finds for a text; null while the request is pending. */
function useFound(typed: string): Answer | null {
  const text = typed.trim()
  const { client } = trpc.useUtils()
  const [answer, setAnswer] = useState<Answer | null>(null)
  useEffect(() => {
    if (text.length < minGoToLength) return undefined
    let isCurrent = true
    const timer = setTimeout(() => {
      client.goTo.find.mutate({ text }).then(
        (found) => isCurrent && setAnswer({ text, found, error: null }),
        (error: unknown) =>
          isCurrent && setAnswer({ text, found: null, error: toCallFailure(error).message }),
      )
    }, searchDelayMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [client, text])
  if (text.length < minGoToLength) return { text, found: null, error: null }
  return answer?.text === text ? answer : null
}

function PaletteList({ onClose }: { onClose: () => void }) {
  const id = useId()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [activeKey, setActiveKey] = useState<string | null>(null)
  const answer = useFound(typed)
  const entries = findEntries(typed, answer?.found ?? null, useCan())
  // By its key: results that arrive late do not move the choice to another entry.
  const active = Math.max(
    0,
    entries.findIndex(({ key }) => key === activeKey),
  )
  const goTo = (entry: Entry | undefined): void => {
    if (!entry) return
    onClose()
    void navigate(entry.to)
  }
  const choose = (index: number): void => {
    const entry = entries[Math.min(Math.max(index, 0), entries.length - 1)]
    setActiveKey(entry?.key ?? null)
    document.getElementById(`${id}-${entry?.key}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') choose(active + 1)
    else if (event.key === 'ArrowUp') choose(active - 1)
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
        aria-describedby={`${id}-hint`}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={entries[active] ? `${id}-${entries[active].key}` : undefined}
        autoComplete="off"
        maxLength={200}
        ref={focusFirstField}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setActiveKey(null)
        }}
        onKeyDown={onKeyDown}
      />
      <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
        A page, product, identifier, order number, or customer.
      </p>
      <ul id={`${id}-list`} role="listbox" aria-label="Results" className="mt-2">
        {entries.map((entry, index) => (
          <li
            key={entry.key}
            id={`${id}-${entry.key}`}
            role="option"
            aria-selected={index === active}
            className="flex min-h-9 cursor-pointer items-center gap-x-3 rounded-field max-md:flex-wrap px-3 hover:bg-base-200 aria-selected:bg-base-300"
            onClick={() => goTo(entry)}
          >
            <span className="me-auto wrap-anywhere">{entry.name}</span>
            <span className="text-sm whitespace-nowrap text-muted">{entry.kind}</span>
          </li>
        ))}
      </ul>
      <p role="status" className="px-3 py-2 text-muted">
        {answer === null ? 'Searching…' : answer.error}
        {answer?.error === null && entries.length === 0 ? 'No matches.' : null}
      </p>
    </>
  )
}
