/** The value of a cookie that scripts may set too, unsigned and not encoded; null without it. */
export function findPlainCookie(request: Request, name: string): string | null {
  for (const cookie of (request.headers.get('cookie') ?? '').split(';')) {
    const [key, value] = cookie.trim().split('=', 2)
    if (key === name) return value ?? ''
  }
  return null
}
