import { useEffect, useRef } from 'react'
import type { GridPlaceInUrl } from './grid-types.ts'

type GridFilterProps = {
  url: GridPlaceInUrl
  /** The parameter that it sets. */
  name: string
  label: string
  /** The first stands for no filter; its value is empty. */
  options: readonly (readonly [value: string, label: string])[]
}

/** Narrows a grid to one kind of row. Without scripts it has a button. */
export function GridFilter({ url, name, label, options }: GridFilterProps) {
  const { params, go } = url
  const field = useRef<HTMLSelectElement>(null)
  const shown = options.some(([value]) => value === params[name]) ? params[name] : ''
  useEffect(() => {
    // Whoever chose before the scripts began was not heard.
    const chosen = field.current?.value
    if (chosen !== undefined && chosen !== shown) go({ [name]: chosen }, { replace: true })
  }, [name, shown, go])
  // A search that stands in no address does not go there by this form either: it begins anew.
  const left = [name, 'after', 'before', 'last', ...(url.isPrivate ? ['q'] : [])]
  const kept = Object.entries(params).filter(([one]) => !left.includes(one))
  return (
    <form className="flex items-end gap-2">
      {kept.map(([one, value]) => (
        <input key={one} type="hidden" name={one} value={value} />
      ))}
      <label>
        <span className="mb-1 block font-medium">{label}</span>
        <select
          ref={field}
          className="select w-40"
          name={name}
          value={shown}
          onChange={(event) => go({ [name]: event.currentTarget.value })}
        >
          {options.map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <button className="btn btn-ghost hidden noscript:inline-flex">Show</button>
    </form>
  )
}
