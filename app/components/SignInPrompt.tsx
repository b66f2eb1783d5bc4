import { paths } from '#domain/paths.ts'
import type { ReactNode } from 'react'
import { Lock } from '../ui/icons.tsx'

type SignInPromptProps = {
  title: string
  children: ReactNode
  /** The local path to return to after signing in. */
  returnTo: string
  /** Other actions on this page. */
  actions?: ReactNode
}

/** Shown on pages that require sign-in. Links to sign-in and back. */
export const SignInPrompt = ({ title, children, returnTo, actions }: SignInPromptProps) => (
  <div className="page max-w-2xl py-16 text-center">
    <span className="tile mx-auto size-16 rounded-full text-primary" aria-hidden="true">
      <Lock className="size-7" />
    </span>
    <h1 className="mt-4 text-xl sm:text-2xl">{title}</h1>
    <div className="mx-auto mt-3 max-w-prose text-balance text-muted">{children}</div>
    <div className="mt-6 flex flex-wrap justify-center gap-3">
      <a href={paths.api.loginFor(returnTo)} className="btn btn-primary">
        Sign In
      </a>
      {actions}
    </div>
  </div>
)
