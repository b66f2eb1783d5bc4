import { useId, useRef, useState } from 'react'
import { Pencil } from '../admin-icons.tsx'
import { Copy, SlidersHorizontal, Trash } from '../icons.tsx'
import { GridLink } from './GridLink.tsx'
import type { GridSettings, GridView } from './grid-types.ts'
import type { GridParams, GridUrl } from './grid-url.ts'
import { hideInUrl } from './hidden-columns.ts'

/** Parameters that name a page of the grid, not its state. */
const pageParams = ['after', 'before', 'last', 'from']

type GridViewsProps = { url: GridUrl; settings: GridSettings; isDisabled: boolean }

/**
 * The named views of a grid: each is a link with its filters, sort and columns. A search that names
 * people is in none of them.
 */
export function GridViews({ url, settings, isDisabled }: GridViewsProps) {
  const id = useId()
  const [renamed, setRenamed] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isCopied, setCopied] = useState(false)
  const { views, saveView, deleteView } = settings
  const name = useRef<HTMLInputElement>(null)
  const state = stateOf(url, settings.hidden)
  const address = url.hrefOf(changeTo(url, state))
  // A second Enter would be refused, because the first one has taken the name.
  const isSaving = useRef(false)
  const save = async (): Promise<void> => {
    if (isSaving.current) return
    isSaving.current = true
    const failure = await saveView(name.current?.value ?? '', state)
    isSaving.current = false
    setError(failure)
    if (failure === null && name.current) name.current.value = ''
    else name.current?.focus()
  }
  return (
    <>
      <button type="button" className="btn btn-ghost" popoverTarget={id}>
        <SlidersHorizontal /> Views
      </button>
      <div id={id} popover="auto" className="popover grid-menu" onToggle={() => setCopied(false)}>
        <p className="mb-1 font-semibold">Saved views</p>
        {views.length === 0 ? <p className="mb-2 text-muted">None yet.</p> : null}
        <ul className="mb-2">
          {views.map((view) =>
            view.id === renamed ? (
              <li key={view.id}>
                <RenameForm view={view} rename={settings.renameView} onDone={() => setRenamed(null)} />
              </li>
            ) : (
              <li key={view.id} className="flex items-center gap-1">
                <GridLink
                  url={url}
                  change={changeTo(url, view.params)}
                  className="text-link me-auto min-h-8 py-1 wrap-anywhere"
                  onClick={({ currentTarget }) =>
                    currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
                  }
                >
                  {view.name}
                </GridLink>
                <button
                  type="button"
                  className="btn btn-ghost btn-square"
                  aria-label={`Rename ${view.name}`}
                  disabled={isDisabled}
                  onClick={() => setRenamed(view.id)}
                >
                  <Pencil />
                </button>
                <button
                  type="button"
                  className="btn btn-ghost btn-square"
                  aria-label={`Delete ${view.name}`}
                  disabled={isDisabled}
                  onClick={() => {
                    // The button goes away with its view.
                    name.current?.focus()
                    void deleteView(view.id).then(setError)
                  }}
                >
                  <Trash />
                </button>
              </li>
            ),
          )}
        </ul>
        <form
          className="noscript:hidden"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <label htmlFor={`${id}-name`} className="mb-1 block font-medium">
            Save these filters, sort and columns as
          </label>
          <div className="flex gap-2">
            <input
              ref={name}
              id={`${id}-name`}
              className="input"
              maxLength={60}
              autoComplete="off"
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? `${id}-error` : undefined}
            />
            <button className="btn btn-outline" disabled={isDisabled}>
              Save
            </button>
          </div>
          <NameError id={`${id}-error`} error={error} />
        </form>
        {url.isPrivate && url.params['q'] ? (
          <p className="mt-2 text-sm text-muted">Search text can name people, so it is not saved.</p>
        ) : null}
        <button
          type="button"
          className="btn btn-ghost mt-2"
          disabled={isDisabled}
          onClick={() =>
            void navigator.clipboard
              .writeText(new URL(address, window.location.href).href)
              .then(() => setCopied(true))
          }
        >
          <Copy /> {isCopied ? 'Address copied' : 'Copy address'}
        </button>
      </div>
    </>
  )
}

/** Why a name was refused. */
const NameError = ({ id, error }: { id: string; error: string | null }) =>
  error ? (
    <p id={id} role="alert" className="mt-1 text-sm font-medium text-error">
      {error}
    </p>
  ) : null

type RenameFormProps = { view: GridView; rename: GridSettings['renameView']; onDone: () => void }

function RenameForm({ view, rename, onDone }: RenameFormProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string | null>(null)
  return (
    <form
      noValidate
      className="mb-2"
      onSubmit={(event) => {
        event.preventDefault()
        void rename(view.id, input.current?.value ?? '').then((failure) => {
          setError(failure)
          if (failure === null) onDone()
          else input.current?.focus()
        })
      }}
    >
      <div className="flex gap-2">
        <input
          ref={(element) => {
            input.current = element
            if (error === null) element?.focus()
          }}
          className="input"
          aria-label={`New name of ${view.name}`}
          defaultValue={view.name}
          maxLength={60}
          autoComplete="off"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        <button className="btn btn-outline">Rename</button>
      </div>
      <NameError id={`${id}-error`} error={error} />
    </form>
  )
}

/** What a view of the grid as it shows now would carry. */
function stateOf({ params, isPrivate }: GridUrl, hidden: readonly string[]): GridParams {
  const shown = Object.entries(params).filter(
    ([param]) => !pageParams.includes(param) && !(isPrivate && param === 'q'),
  )
  return { ...Object.fromEntries(shown), ...hideInUrl(hidden) }
}

/** The change from what shows now to a view. */
const changeTo = ({ params }: GridUrl, view: GridParams): Record<string, string | null> => ({
  ...Object.fromEntries(Object.keys(params).map((param) => [param, null])),
  ...view,
})
