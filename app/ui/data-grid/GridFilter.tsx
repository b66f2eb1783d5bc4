import { useEffect, useRef } from 'react'
import type { GridUrl } from './grid-url.ts'

type GridFilterProps = {
  url: GridUrl
  /** The parameter that it sets. */
  name: string
  label: string
  /** The first option is no filter; its value is empty. */
  options: readonly (readonly [value: string, label: string])[]
}

/** Filters a grid by one parameter. Without scripts it has a button. */
export function GridFilter({ url, name, label, options }: GridFilterProps) {
  const { params, go } = url
  const field = useRef<HTMLSelectElement>(null)
  const current = options.some(([value]) => value === params[name]) ? params[name] : ''
  useEffect(() => {
    // An option that was selected before hydration fired no event.
    const selected = field.current?.value
    if (selected !== undefined && selected !== current) go({ [name]: selected }, { replace: true })
  }, [name, current, go])
  // This form submits to the URL, so it omits a private search.
  const omittedParams = [name, 'after', 'before', 'last', ...(url.isPrivate ? ['q'] : [])]
  const otherParams = Object.entries(params).filter(([param]) => !omittedParams.includes(param))
  return (
    <form className="flex items-end gap-2">
      {otherParams.map(([param, value]) => (
        <input key={param} type="hidden" name={param} value={value} />
      ))}
      <label>
        <span className="mb-1 block font-medium">{label}</span>
        <select
          ref={field}
          className="select w-40"
          name={name}
          value={current}
          onChange={(event) => go({ [name]: event.currentTarget.value })}
        >
          {options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <button className="btn btn-ghost hidden noscript:inline-flex">Show</button>
    </form>
  )
}
