import { Quantities } from './Quantities.tsx'

type ClampedProps = {
  text: string
  /** One where the cell has a second line below: no cell is higher than two lines. */
  lines?: 1 | 2
  className?: string
}

/**
 * A long text, cut after two lines so that all rows have one height. Its title is the whole text.
 */
export const Clamped = ({ text, lines = 2, className = '' }: ClampedProps) => (
  <span className={`${lines === 1 ? 'line-clamp-1' : 'line-clamp-2'} ${className}`} title={text}>
    <Quantities text={text} />
  </span>
)
