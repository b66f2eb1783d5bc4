import { paths } from '#domain/paths.ts'
import { useEffect } from 'react'
import { themeColors, themeCookie, activeTheme, type Theme } from './theme.ts'
import { IconButton } from '../ui/Button.tsx'
import { Moon, Sun } from '../ui/icons.tsx'

const key = 'theme'

function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = `pharma-${theme}`
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', themeColors[theme])
}

function switchTheme(): void {
  const theme = activeTheme() === 'dark' ? 'light' : 'dark'
  applyTheme(theme)
  document.cookie = themeCookie(theme)
  try {
    localStorage.setItem(key, theme)
  } catch (error) {
    console.warn('The theme could not be saved in local storage.', error)
  }
}

/**
 * Light or dark. A form that reloads the page in the other theme; with scripts, it switches in
 * place.
 * @param path the current path and query
 */
export function ThemeSwitch({ theme, path }: { theme: Theme; path: string }) {
  useEffect(() => {
    applyTheme(activeTheme())
    const onStorage = ({ key: changed, newValue }: StorageEvent) => {
      if (changed === key && (newValue === 'light' || newValue === 'dark')) applyTheme(newValue)
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [])
  return (
    <form
      method="post"
      action={paths.theme}
      onSubmit={(event) => {
        event.preventDefault()
        switchTheme()
      }}
    >
      <input type="hidden" name="returnTo" value={path} />
      <IconButton label="Switch theme" name="theme" value={theme === 'dark' ? 'light' : 'dark'}>
        <Moon className="icon dark:hidden" />
        <Sun className="icon not-dark:hidden" />
      </IconButton>
    </form>
  )
}
