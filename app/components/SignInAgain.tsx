import { paths } from '#domain/paths.ts'
import { useLocation } from 'react-router'

/**
 * For a form that its page keeps after the session ended. The header still shows the account, and
 * leaving the page would lose what was typed.
 */
export function SignInAgain() {
  const { pathname, search } = useLocation()
  return (
    <a id="login-again" href={paths.api.loginFor(pathname + search)} target="_blank" className="text-link">
      Sign In (opens in a new tab)
    </a>
  )
}
