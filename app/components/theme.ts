export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** The active theme: the server's choice, or what the first script found in local storage. */
export const activeTheme = (): Theme =>
  document.documentElement.dataset['theme'] === 'pharma-dark' ? 'dark' : 'light'

const yearSeconds = 365 * 24 * 60 * 60

/**
 * The two `--color-base-100` of app.css in sRGB: not every browser accepts `oklch()` for its
 * toolbar.
 */
export const themeColors: Record<Theme, string> = { light: '#f9fdfc', dark: '#101d21' }

/**
 * The cookie for the first paint. The browser writes it too, with `localStorage['theme']`, so it is
 * not httpOnly.
 */
export const themeCookie = (theme: Theme): string =>
  `theme=${theme}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`
