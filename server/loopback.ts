/** Whether a URL's host is a loopback name or address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host) || host.endsWith('.localhost')

/** Whether a URL's host is a loopback name or address. False for another text. */
export const isLoopbackOrigin = (text: string | undefined): boolean =>
  text !== undefined && URL.canParse(text) && isLoopback(new URL(text).hostname)

/** Whether a Host header is a loopback name. Dev and demo accept all of them. */
export const isLoopbackHost = (host: string): boolean => isLoopback(host.replace(/:\d+$/, ''))
