import {
  Fragment,
  useEffect,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { useHydrated } from './use-hydrated.ts'

export type ComboboxOption = {
  key: string
  label: string
  hint?: string | null
  /** The heading of neighboring options: "Brands". */
  group?: string
}

type ComboboxProps<Option extends ComboboxOption> = Omit<
  ComponentProps<'input'>,
  'onChange' | 'onKeyDown'
> & {
  /** The accessible name of the list: "Suggestions". */
  listLabel: string
  /** Fetches the options for the typed text; the signal aborts when they are no longer needed. */
  load: (typed: string, signal: AbortSignal) => Promise<Option[]>
  /** Called with the chosen option; the field then shows the returned text. */
  onPick: (option: Option) => string
  onTyped?: (typed: string) => void
  /** Called when the list opens, to place it; returns what to do when it closes. */
  onOpen?: (list: HTMLUListElement, field: HTMLInputElement) => () => void
  /** What an option shows, instead of its label and hint. */
  renderOption?: (option: Option) => ReactNode
}

const debounceMs = 120
const minLength = 2

/**
 * A text field with suggestions below it: an ARIA 1.2 combobox with a listbox popup, where the
 * focus stays in the field. Without scripts it is a plain text field.
 */
export function Combobox<Option extends ComboboxOption>({
  listLabel,
  load,
  onPick,
  onTyped,
  onOpen,
  renderOption = showOption,
  ...input
}: ComboboxProps<Option>) {
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const hydrated = useHydrated()
  const [options, setOptions] = useState<Option[] | null>(null)
  const [active, setActive] = useState(-1)
  const [busy, setBusy] = useState(false)
  const pending = useRef<{
    timer?: ReturnType<typeof setTimeout>
    request?: AbortController
    step: number
  }>({ step: 0 })
  const open = options !== null && options.length > 0

  const cancelSearch = () => {
    clearTimeout(pending.current.timer)
    pending.current.request?.abort()
    setBusy(false)
  }
  const close = () => {
    cancelSearch()
    setOptions(null)
    setActive(-1)
  }
  useEffect(() => cancelSearch, [])
  useEffect(
    () => (open && list.current && field.current ? onOpen?.(list.current, field.current) : undefined),
    [open, onOpen],
  )
  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [listId, active])

  /**
   * Until the options of the typed text come, the list has those of an earlier text, and the keys
   * choose none of them: "amoxicillin 500" would choose 250 mg.
   *
   * @param step what the last key selects when they come: 1 the first option, -1 the last, 0 none
   */
  const search = (typed: string, step = 0) => {
    cancelSearch()
    setActive(-1)
    if (typed.trim().length < minLength) return close()
    setBusy(true)
    pending.current.step = step
    pending.current.timer = setTimeout(() => {
      const request = new AbortController()
      pending.current.request = request
      load(typed.trim(), request.signal).then(
        (results) => {
          if (request.signal.aborted) return
          setBusy(false)
          setOptions(results)
          setActive(stepFrom(-1, pending.current.step, results.length))
        },
        // A failed request shows no suggestions; the form still works without them.
        () => request.signal.aborted || close(),
      )
    }, debounceMs)
  }

  const pick = (option: Option) => {
    const text = onPick(option)
    if (field.current) field.current.value = text
    close()
  }

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const activeOption = options?.[active]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      // A held key repeats: another search each time would never be sent.
      if (busy) pending.current.step = step
      else if (open) setActive(stepFrom(active, step, options.length))
      else search(event.currentTarget.value, step)
    } else if (event.key === 'Enter' && activeOption) {
      event.preventDefault()
      pick(activeOption)
    } else if (event.key === 'Enter') {
      // Pressed for an option that has not come yet, it must not send the form.
      if (busy && pending.current.step !== 0) event.preventDefault()
      else close()
    } else if (event.key === 'Escape' && options !== null) {
      // Without this a search field also clears itself.
      event.preventDefault()
      close()
    }
  }

  return (
    <div className="relative min-w-0 flex-1">
      <input
        className="input"
        {...input}
        ref={field}
        {...(hydrated && {
          role: 'combobox',
          autoComplete: 'off',
          'aria-autocomplete': 'list' as const,
          'aria-expanded': open,
          'aria-busy': busy,
          'aria-controls': listId,
          'aria-activedescendant': options?.[active] ? `${listId}-${active}` : undefined,
        })}
        onChange={(event) => {
          onTyped?.(event.target.value)
          search(event.target.value)
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <ul
        ref={list}
        id={listId}
        role="listbox"
        aria-label={listLabel}
        hidden={!open}
        className="absolute inset-x-0 top-full z-20 mt-1.5 max-h-96 overflow-y-auto rounded-box border border-line bg-base-100 py-1 shadow-xl"
      >
        {options?.map((option, index) => (
          <Fragment key={option.key}>
            {option.group === options[index - 1]?.group ? null : (
              <li role="presentation" className="px-4 pt-2 text-sm text-muted">
                {option.group}
              </li>
            )}
            <li
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 px-4 py-2 hover:bg-base-200 aria-selected:bg-primary aria-selected:text-primary-content"
              // Otherwise the press moves the focus and closes the list before the click.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => pick(option)}
            >
              {renderOption(option)}
            </li>
          </Fragment>
        ))}
      </ul>
      <span role="status" className="sr-only">
        {busy ? 'Loading suggestions' : options && `${options.length || 'No'} suggestions`}
      </span>
    </div>
  )
}

/** The option a step away from another, around both ends. -1 is the field itself. */
const stepFrom = (from: number, step: number, count: number): number =>
  ((from + step + count + 2) % (count + 1)) - 1

const showOption = ({ label, hint }: ComboboxOption): ReactNode => (
  <>
    <span className="font-medium">{label}</span>
    {hint ? <span className="text-sm opacity-90">{hint}</span> : null}
  </>
)
