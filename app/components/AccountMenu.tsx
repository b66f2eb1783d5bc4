import { IconButton } from '../ui/Button.tsx'
import { CircleUser } from '../ui/icons.tsx'

/** What a visitor can do about an account. A popover of the browser's own: it opens without scripts, too. */
export const AccountMenu = () => (
  <>
    <IconButton label="Account menu" type="button" popoverTarget="account-menu">
      <CircleUser />
    </IconButton>
    <div id="account-menu" popover="auto" className="popover p-4">
      <p className="text-sm text-muted">You are browsing as a visitor.</p>
      <a href="/api/login" className="btn btn-primary mt-3 w-full">
        Sign In
      </a>
    </div>
  </>
)
