type Fields = Record<string, string>

/** A browser that records its cookies and redirects. */
export function openRecordingBrowser(origin: string, userAgent: string) {
  const cookies = new Map<string, string>()
  const redirects: string[] = []
  const call = async (path: string, init: { method?: string; headers?: Fields; body?: BodyInit } = {}) => {
    const response = await fetch(new URL(path, origin), {
      ...init,
      redirect: 'manual',
      headers: {
        origin,
        'user-agent': userAgent,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...init.headers,
      },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    redirects.push(response.headers.get('location') ?? '')
    return { status: response.status, text: await response.text() }
  }
  const json = (method: string, path: string, body: object) =>
    call(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const post = (path: string, fields: Fields) =>
    call(path, { method: 'POST', body: new URLSearchParams(fields) })
  const upload = async (bytes: Uint8Array) => {
    const { uploadURL } = JSON.parse((await call('/api/objects/upload', { method: 'POST' })).text) as {
      uploadURL: string
    }
    const put = await call(uploadURL, { method: 'PUT', body: Uint8Array.from(bytes) })
    return { ...put, address: uploadURL }
  }
  return { cookies, redirects, call, json, post, upload }
}

export type RecordingBrowser = ReturnType<typeof openRecordingBrowser>
