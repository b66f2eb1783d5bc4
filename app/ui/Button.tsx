import type { ComponentProps } from 'react'
import { Link } from '../render/Link.tsx'

const kinds = {
  primary: 'btn btn-primary',
  secondary: 'btn btn-outline border-base-content/55',
  quiet: 'btn btn-ghost',
  /** For actions that cannot be undone. */
  danger: 'btn btn-error',
} as const
type Kind = keyof typeof kinds

type ButtonProps = ComponentProps<'button'> & { kind?: Kind }

/** A button, 44 px high. Inside a form it submits by default, as in HTML. */
export const Button = ({ kind = 'secondary', className = '', ...rest }: ButtonProps) => (
  <button className={`${kinds[kind]} ${className}`} {...rest} />
)

type LinkButtonProps = ComponentProps<typeof Link> & { kind?: Kind }

/** A link that looks like a button: it goes somewhere and changes nothing. */
export const LinkButton = ({ kind = 'secondary', className = '', ...rest }: LinkButtonProps) => (
  <Link className={`${kinds[kind]} ${className}`} {...rest} />
)

/** A 44 px square button with one icon; its label is for screen readers only. */
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
