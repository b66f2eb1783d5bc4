import { dollars } from '#domain/money.ts'

type PriceProps = { min: string | null; max?: string | null; className?: string }

/** "$4.10", "$4.10 – $12.30" for a range, or a note that there is no price. */
export function Price({ min, max = min, className = '' }: PriceProps) {
  if (min === null) return <span className={`text-muted ${className}`}>Price not available</span>
  return (
    <span className={`tabular-nums ${className}`}>
      {max === null || min === max ? dollars(min) : `${dollars(min)} – ${dollars(max)}`}
    </span>
  )
}
