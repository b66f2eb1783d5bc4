import type { ComponentProps } from 'react'
import { Link } from './Link.tsx'

const kinds = {
  primary: 'btn btn-primary',
  secondary: 'btn btn-outline border-base-content/55',
  quiet: 'btn btn-ghost',
  /** What cannot be undone. */
  danger: 'btn btn-error',
} as const
type Kind = keyof typeof kinds

type ButtonProps = ComponentProps<'button'> & { kind?: Kind }

/** A button of 44 px. Inside a form it submits unless told otherwise, as in HTML. */
export const Button = ({ kind = 'secondary', className = '', ...rest }: ButtonProps) => (
  <button className={`${kinds[kind]} ${className}`} {...rest} />
)

type LinkButtonProps = ComponentProps<typeof Link> & { kind?: Kind }

/** A link that looks like a button: it goes somewhere and changes nothing. */
export const LinkButton = ({ kind = 'secondary', className = '', ...rest }: LinkButtonProps) => (
  <Link className={`${kinds[kind]} ${className}`} {...rest} />
)

/** A square of 44 px with one icon; its name is read, not seen. */
export const IconButton = ({
  label,
  className = '',
  children,
  ...rest
}: ComponentProps<'button'> & { label: string }) => (
  <button className={`btn btn-ghost btn-square ${className}`} aria-label={label} {...rest}>
    {children}
  </button>
)
