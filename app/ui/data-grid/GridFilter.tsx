import { useHydrated } from '../use-hydrated.ts'
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
  const hydrated = useHydrated()
  const { params } = url
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
          className="select w-40"
          name={name}
          {...(hydrated
            ? {
                value: params[name] ?? '',
                onChange: (event) => url.go({ [name]: event.currentTarget.value }),
              }
            : { defaultValue: params[name] ?? '' })}
        >
          {options.map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
      </label>
      {hydrated ? null : <button className="btn btn-ghost">Show</button>}
    </form>
  )
}
