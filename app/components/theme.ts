export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** What the page wears: the server's choice, or what the first script found in local storage. */
export const activeTheme = (): Theme =>
  document.documentElement.dataset['theme'] === 'pharma-dark' ? 'dark' : 'light'

const yearSeconds = 365 * 24 * 60 * 60

/** A browser's own bars take no `oklch()` everywhere, so these are the two `--color-base-100` of app.css as sRGB. */
export const themeColors: Record<Theme, string> = { light: '#f9fdfc', dark: '#101d21' }

/** The cookie of the first paint. The browser writes it too, beside `localStorage['theme']`, so it is plain. */
export const themeCookie = (theme: Theme): string =>
  `theme=${theme}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`
