type ClampedProps = {
  text: string
  /** One where a second line of its own stands under it: no cell is higher than two. */
  lines?: 1 | 2
  className?: string
}

/** A text that may be long: cut after two lines, so that rows are of one height; the whole is its title. */
export const Clamped = ({ text, lines = 2, className = '' }: ClampedProps) => (
  <span className={`${lines === 1 ? 'line-clamp-1' : 'line-clamp-2'} ${className}`} title={text}>
    {text}
  </span>
)
