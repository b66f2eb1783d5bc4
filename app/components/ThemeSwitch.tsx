import { IconButton } from '../ui/Button.tsx'
import { Moon, Sun } from '../ui/icons.tsx'

const yearSeconds = 365 * 24 * 60 * 60

/** The page shows the theme it wears, so this reads it there; storage and cookie keep it for the next one. */
function switchTheme() {
  const root = document.documentElement
  const theme = root.dataset['theme'] === 'pharma-dark' ? 'light' : 'dark'
  root.dataset['theme'] = `pharma-${theme}`
  document.cookie = `theme=${theme}; path=/; max-age=${yearSeconds}; samesite=lax`
  try {
    localStorage.setItem('theme', theme)
  } catch (error) {
    console.warn('The theme cannot be kept in local storage.', error)
  }
}

/** Light or dark. It needs scripts, and is not shown without. */
export const ThemeSwitch = () => (
  <IconButton label="Switch theme" type="button" className="noscript:hidden" onClick={switchTheme}>
    <Moon className="icon dark:hidden" />
    <Sun className="icon not-dark:hidden" />
  </IconButton>
)
